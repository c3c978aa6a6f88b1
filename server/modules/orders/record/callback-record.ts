// Callbacks that the database could not store, on the disk of this process until it can (decision 58). Proven ones lie
// here as they were read, masked as in their table; what could not be proven yet lies here whole, for signatures are
// over bytes, and has a part of the room of its own: anybody can send it.
import { DAY_SECONDS } from '#kernel/time.ts';
import { createHash } from 'node:crypto';
import type { CallbackEvent, RawCallback } from '#server/modules/payments/provider.ts';
import {
  type StoredCallback,
  toWholeCallback,
  type WholeCallback,
} from '#server/modules/orders/payments/stored-callback.ts';
import type { Log } from '#server/platform/log.ts';
import { countEvent } from '#server/platform/metrics/metrics.ts';
import { createDurableRecord, type DurableRecord, type Entry } from '#server/platform/record/durable-record.ts';
import type { Kept } from '#server/platform/record/record-writer.ts';
import type { RecordFolder } from '#server/platform/record/record-folder.ts';

export type ProvenCallback = Entry & {
  readonly provider: string;
  readonly events: readonly CallbackEvent[];
  readonly stored: StoredCallback;
};

export type UnprovenCallback = Entry & { readonly provider: string; readonly raw: WholeCallback };

export type CallbackRecord = {
  /** True: it is on the disk. */
  keepProven(provider: string, events: readonly CallbackEvent[], stored: StoredCallback): Promise<boolean>;
  keepUnproven(provider: string, raw: RawCallback, signedHeaders: readonly string[]): Promise<boolean>;
  readonly proven: DurableRecord<ProvenCallback>;
  readonly unproven: DurableRecord<UnprovenCallback>;
  figures(): { entries: number; bytes: number };
};

/**
 * Our choice: a provider that goes on for a day outlasts a night and the morning in which somebody mends a database.
 * One that gives up earlier is acknowledged when its callback is on our disk: it would take silence for a no.
 */
export const LONG_ENOUGH_SECONDS = DAY_SECONDS;
/** Our choice: what anybody can send never takes the room of what is proven. */
const UNPROVEN_SHARE = 0.25;

export function createCallbackRecord(deps: {
  readonly folder: RecordFolder;
  readonly capBytes: number;
  readonly now: () => number;
  readonly log: Log;
}): CallbackRecord {
  const { capBytes, log, now } = deps;
  const unprovenBytes = Math.floor(capBytes * UNPROVEN_SHARE);
  const proven = createDurableRecord<ProvenCallback>({ ...deps, kind: 'proven', capBytes: capBytes - unprovenBytes });
  const unproven = createDurableRecord<UnprovenCallback>({ ...deps, kind: 'unproven', capBytes: unprovenBytes });
  let fullAlertAt = -Infinity;
  const tell = (provider: string, how: Kept): boolean => {
    countEvent('callbacksRecorded', { provider, outcome: how });
    if (how === 'full' && now() - fullAlertAt >= FULL_ALERT_EVERY_MS) {
      fullAlertAt = now();
      log.error({ alert: 'callback_record_full', provider }, 'the local record is full: callbacks are kept nowhere');
    }
    return how === 'kept';
  };
  const at = () => new Date(now()).toISOString();
  return {
    proven,
    unproven,
    keepProven: async (provider, events, stored) => {
      const id = digest([provider, ...events.map(({ dedupKey }) => dedupKey)]);
      return tell(provider, await proven.append({ id, at: at(), provider, events, stored }));
    },
    keepUnproven: async (provider, raw, signedHeaders) => {
      const whole = toWholeCallback(raw, signedHeaders);
      const id = digest([provider, JSON.stringify(whole)]);
      return tell(provider, await unproven.append({ id, at: at(), provider, raw: whole }));
    },
    figures: () => {
      const [one, other] = [proven.figures(), unproven.figures()];
      return { entries: one.entries + other.entries, bytes: one.bytes + other.bytes };
    },
  };
}

const FULL_ALERT_EVERY_MS = 60_000;

/** Lengths keep apart what would run into each other. */
function digest(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest('hex').slice(0, 32);
}
