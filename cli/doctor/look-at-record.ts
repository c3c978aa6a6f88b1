// The local record of callbacks: whether one could be kept, and what lies there.
import { listRecord } from '#server/modules/orders/record/list-record.ts';
import type { Config } from '#server/platform/config.ts';
import { locateCallbackRecord } from '#server/platform/record/locate-record.ts';
import { openRecordFolder } from '#server/platform/record/record-folder.ts';
import { checkCallbackRecord } from '#server/serve/check-record.ts';
import { ill, type Look, well } from './look.ts';

const NAME = 'the callback record';

export async function lookAtRecord(config: Config): Promise<Look[]> {
  const faults = (await checkCallbackRecord(config)).map((finding) => ill('machine', 'warning', finding));
  const path = locateCallbackRecord(config);
  const found = await listRecord(openRecordFolder(path)).catch((error: Error) => error);
  if (found instanceof Error) {
    const remedy = `let this account read ${path}`;
    return [...faults, ill('machine', 'warning', { name: NAME, reason: `cannot be read: ${found.message}`, remedy })];
  }
  const { callbacks, files } = found;
  const looks: Look[] = [...faults];
  const damaged = files.filter(({ state }) => state === 'damaged');
  if (damaged.length > 0)
    looks.push(
      ill('machine', 'warning', {
        name: NAME,
        reason: `has ${damaged.length} files of damaged lines in ${path}`,
        remedy: 'read them, see to the payments that they name (docs/operating.md), then delete them',
      }),
    );
  const [oldest] = callbacks;
  if (oldest)
    looks.push(
      ill('machine', 'warning', {
        name: NAME,
        reason: `holds ${callbacks.length} callbacks, the oldest of ${oldest.at}`,
        remedy:
          'a running process hands them on once the database is back; see `refill callbacks list`, and `refill ' +
          'callbacks replay` where none runs',
      }),
    );
  if (looks.length > 0) return looks;
  return [
    well(
      'machine',
      NAME,
      config.callbackRecordMb === 0 ? 'is off' : `is empty and may hold ${config.callbackRecordMb} MB`,
    ),
  ];
}
