// Visitors of a rehearsal: calls one after the other on kept connections, none repeated, every fault written down.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';

export type Traffic = {
  readonly stop: () => Promise<{ calls: number; faults: string[]; slowestMs: number }>;
};

/** Our choice: more than a balancer's connections, and little work for a small machine. */
const VISITORS = 6;
const PAUSE_MS = 40;

/** @param calls made in turn; a POST is one that must never be sent twice */
export function startTraffic(
  pool: Pool,
  host: string,
  calls: readonly { method: 'GET' | 'POST'; path: string; body?: object }[],
): Traffic {
  let isOver = false;
  let count = 0;
  let slowestMs = 0;
  const faults: string[] = [];
  const visit = async (visitor: number): Promise<void> => {
    for (let turn = visitor; !isOver; turn += 1) {
      const call = calls[turn % calls.length];
      if (!call) return;
      const began = performance.now();
      count += 1;
      try {
        const { statusCode, body } = await pool.request({
          method: call.method,
          path: call.path,
          headers: { host, 'x-refill': '1', origin: `https://${host}`, 'content-type': 'application/json' },
          ...(call.body ? { body: JSON.stringify(call.body) } : {}),
        });
        await body.dump();
        if (statusCode >= 500) faults.push(`${call.method} ${call.path}: ${statusCode}`);
      } catch (error) {
        faults.push(`${call.method} ${call.path}: ${(error as Error).message}`);
      }
      slowestMs = Math.max(slowestMs, performance.now() - began);
      await sleep(PAUSE_MS);
    }
  };
  const visitors = Array.from({ length: VISITORS }, (_, index) => visit(index));
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(visitors);
      return { calls: count, faults, slowestMs: Math.round(slowestMs) };
    },
  };
}
