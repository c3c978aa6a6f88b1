// Visitors of a rehearsal: pages with all that they name, and calls, one after the other on kept connections, none
// repeated, every fault written down.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';

export type Seen = {
  /** Pages, each a document and every script and style that it names. */
  readonly pages: number;
  /** Pages of which something did not come. */
  readonly dead: number;
  /** Pages by the entry script that they name: one for each release. */
  readonly releases: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly faults: string[];
  readonly slowestMs: number;
};
export type Traffic = { readonly stop: () => Promise<Seen> };

/** Our choice: more than a balancer's connections, and little work for a small machine. */
const VISITORS = 6;
/** All visitors have one address, so together they stay below the 50 calls a second that a proxy lets one have. */
const PAUSE_MS = 150;

/** @param calls made in turn, after a page each; a POST is one that must never be sent twice */
export function startTraffic(
  pool: Pool,
  host: string,
  calls: readonly { method: 'GET' | 'POST'; path: string; body?: object }[],
): Traffic {
  let isOver = false;
  let pages = 0;
  let dead = 0;
  let count = 0;
  let slowestMs = 0;
  const releases: Record<string, number> = {};
  const faults: string[] = [];

  /** @returns the text of an answer that is no fault, else null */
  async function ask(method: 'GET' | 'POST', path: string, given?: object): Promise<string | null> {
    const began = performance.now();
    try {
      const { statusCode, body } = await pool.request({
        method,
        path,
        headers: {
          host,
          accept: 'text/html,*/*',
          'x-refill': '1',
          origin: `https://${host}`,
          'content-type': 'application/json',
        },
        ...(given ? { body: JSON.stringify(given) } : {}),
      });
      const text = await body.text();
      if (statusCode < 500 && statusCode !== 429 && (given !== undefined || statusCode !== 404)) return text;
      faults.push(`${method} ${path}: ${statusCode}`);
    } catch (error) {
      faults.push(`${method} ${path}: ${(error as Error).message}`);
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - began);
    }
    return null;
  }

  async function open(): Promise<void> {
    pages += 1;
    const document = (await ask('GET', '/')) ?? '';
    const named = [...document.matchAll(/ (?:src|href)="(\/assets\/[\w.-]+)"/g)].map(([, path]) => path ?? '');
    const files = [...new Set(named)];
    const entry = files.find((path) => path.startsWith('/assets/main-')) ?? 'none';
    releases[entry] = (releases[entry] ?? 0) + 1;
    // As a browser does: a page with one of them missing does nothing.
    const texts = await Promise.all(files.map((path) => ask('GET', path)));
    if (entry === 'none' || texts.includes(null)) dead += 1;
  }

  const visit = async (visitor: number): Promise<void> => {
    for (let turn = visitor; !isOver; turn += 1) {
      const call = calls[turn % calls.length];
      await open();
      await sleep(PAUSE_MS);
      if (call) {
        count += 1;
        await ask(call.method, call.path, call.body);
      }
      await sleep(PAUSE_MS);
    }
  };
  const visitors = Array.from({ length: VISITORS }, (_, index) => visit(index));
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(visitors);
      return { pages, dead, releases, calls: count, faults, slowestMs: Math.round(slowestMs) };
    },
  };
}
