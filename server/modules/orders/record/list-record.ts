// Lists the local callback record for a person: without bodies, and without a database.
import { readFileName, FREE } from '#server/platform/record/record-names.ts';
import type { RecordFolder } from '#server/platform/record/record-folder.ts';
import { readLines } from '#server/platform/record/record-lines.ts';
import { DEAD_AFTER_MS } from '#server/platform/record/durable-record.ts';
import type { ProvenCallback, UnprovenCallback } from './callback-record.ts';

export type KeptCallback = {
  readonly provider: string;
  readonly at: string;
  readonly is_proven: boolean;
  /** Empty while it is not proven: nothing of it is believed. */
  readonly reports: readonly {
    status: string;
    reference: string | null;
    amount_minor: number | null;
    currency: string | null;
  }[];
};

export type RecordFileState = {
  readonly name: string;
  /** `held`: a living process hands it on by itself; `left`: whoever comes next takes it; `damaged`: for a person. */
  readonly state: 'held' | 'left' | 'damaged';
  readonly bytes: number;
};

export async function listRecord(
  folder: RecordFolder,
): Promise<{ files: RecordFileState[]; callbacks: KeptCallback[] }> {
  const files: RecordFileState[] = [];
  const callbacks: KeptCallback[] = [];
  for (const { bytes, idleMs, name } of (await folder.list()).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const known = readFileName(name);
    if (!known) {
      if (name.endsWith('.damaged')) files.push({ name, state: 'damaged', bytes });
      continue;
    }
    const isLeft = known.owner === FREE || idleMs > DEAD_AFTER_MS;
    files.push({ name, state: isLeft ? 'left' : 'held', bytes });
    try {
      for await (const line of readLines(folder, name))
        if (line.kind === 'entry') callbacks.push(describe(line.value as ProvenCallback | UnprovenCallback));
    } catch (error) {
      // Handed on while we looked.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      files.pop();
    }
  }
  return { files, callbacks: callbacks.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)) };
}

function describe(one: ProvenCallback | UnprovenCallback): KeptCallback {
  const events = 'events' in one ? one.events : [];
  const reports = events.map(({ report: { amount, reference, status } }) => ({
    status,
    reference,
    amount_minor: amount?.amountMinor ?? null,
    currency: amount?.currency ?? null,
  }));
  return { provider: one.provider, at: one.at, is_proven: 'events' in one, reports };
}
