// Records erased players on the disk of this machine: a backup of before brings them back, and knows nothing of it
// (decision 60). Of each the internal number alone, which the books keep as well and which leads to nobody once they
// are erased.
import type { PlayerId } from '#kernel/ids.ts';
import { DAY_MS } from '#kernel/time.ts';
import type { Config } from '#server/platform/config.ts';
import type { Log } from '#server/platform/log.ts';
import { createDurableRecord, type Entry } from '#server/platform/record/durable-record.ts';
import { locateErasedRecord } from '#server/platform/record/locate-record.ts';
import { readLines } from '#server/platform/record/record-lines.ts';
import { readFileName } from '#server/platform/record/record-names.ts';
import { openRecordFolder, type RecordFolder } from '#server/platform/record/record-folder.ts';

export type ErasedPerson = Entry & { readonly player_id: PlayerId; readonly gave_up_balance: boolean };
export type ErasedRecord = {
  /** On the disk when it resolves; a disk that fails is told to the log, and erases nobody less. */
  note(playerId: PlayerId, gaveUpBalance: boolean): Promise<void>;
  close(): Promise<void>;
};

const KIND = 'erased';
/** Our choice: some hundred thousand persons. */
const CAP_BYTES = 32 * 1024 ** 2;
/** Our choice: a year and a month. An older backup is nothing that a shop goes back to. */
const KEPT_DAYS = 396;

export function createErasedRecord(deps: { folder: RecordFolder; now: () => number; log: Log }): ErasedRecord {
  const { folder, log, now } = deps;
  const record = createDurableRecord<ErasedPerson>({ ...deps, kind: KIND, capBytes: CAP_BYTES });
  return {
    note: async (playerId, gaveUpBalance) => {
      const entry = { id: playerId, at: new Date(now()).toISOString(), player_id: playerId };
      const kept = await record.append({ ...entry, gave_up_balance: gaveUpBalance });
      if (kept !== 'kept')
        log.error({ alert: 'erased_record', kept }, 'an erased person is noted nowhere but in the database');
      await endOld(folder, now()).catch(() => undefined);
    },
    close: () => record.release(),
  };
}

/** Null: this machine keeps no records. */
export function openErasedRecord(deps: {
  config: Parameters<typeof locateErasedRecord>[0] & Pick<Config, 'callbackRecordMb'>;
  now: () => number;
  log: Log;
}): ErasedRecord | null {
  const { config, now, log } = deps;
  if (config.callbackRecordMb === 0) return null;
  return createErasedRecord({ folder: openRecordFolder(locateErasedRecord(config)), now, log });
}

/** Files are begun by each process anew, so that what lies in them is little older than their names say. */
async function endOld(folder: RecordFolder, now: number): Promise<void> {
  for (const { name, idleMs } of await folder.list()) {
    const file = readFileName(name);
    if (file?.kind === KIND && file.start < now - KEPT_DAYS * DAY_MS && idleMs > KEPT_DAYS * DAY_MS)
      await folder.remove(name);
  }
}

/** Those who were erased at that time or later, each once. */
export async function readErased(folders: readonly RecordFolder[], since: Date): Promise<ErasedPerson[]> {
  const found = new Map<PlayerId, ErasedPerson>();
  for (const folder of folders)
    for (const { name } of await folder.list()) {
      if (readFileName(name)?.kind !== KIND) continue;
      for await (const line of readLines(folder, name)) {
        if (line.kind !== 'entry') continue;
        const one = line.value as ErasedPerson;
        if (Date.parse(one.at) >= since.getTime()) found.set(one.player_id, one);
      }
    }
  return [...found.values()];
}
