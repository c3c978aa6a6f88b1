// Test 37: visitors who never finish their question, never finish their body, or never read the answer. A
// bounded number, from this machine.
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { type Finding, processTest } from '../kit/finding.ts';
import { type Held, type Victim, hold, openVictim } from './victim.ts';

export const slow = processTest({
  number: '37',
  name: 'abuse-slow',
  about: 'slow headers, slow bodies, slow readers (Slowloris, R-U-Dead-Yet, slow read)',
  loads: { short: { connections: 90, seconds: 20 }, full: { connections: 1000, seconds: 120 } },
  describe: ({ connections, seconds }) => `${connections} connections, ${seconds} s`,
  run: (load, borrowed) => withCleanup(async (defer) => play(await openVictim(defer, borrowed), load)),
});

/**
 * @source docs/reliability.md, test 37: headers 10 s, body 15 s; and how often the server looks,
 * and how late on a busy machine
 */
const HEADER_MS = 10_000 + 6000;
const BODY_MS = 15_000 + 6000;
/**
 * @source server/platform/http/http.ts, keepAliveTimeout: an answer that fits into the systems' buffers
 * leaves an idle connection behind
 */
const READER_MS = 65_000 + 10_000;
/** Below this nobody sees a difference, and one late timer doubles a p95. */
const FAST_ENOUGH_MS = 60;

type Way = {
  readonly name: string;
  readonly boundMs: number;
  /** Does not hear that the line is closed: the server's own end is looked at. */
  readonly isDeaf: boolean;
  begin(held: Held): void;
  drip(held: Held): void;
};

async function play(
  victim: Victim,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Finding> {
  const faults: string[] = [];
  const { host, port, players } = victim;
  const ways: readonly Way[] = [
    {
      name: 'slow headers',
      boundMs: HEADER_MS,
      isDeaf: false,
      begin: ({ socket }) => socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n`),
      drip: ({ socket }) => socket.write(`X-${Math.random().toString(36).slice(2)}: a\r\n`),
    },
    {
      name: 'slow bodies',
      boundMs: BODY_MS,
      isDeaf: false,
      begin: ({ socket }) =>
        socket.write(
          `POST /api/pay/adyen_pay HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ` +
            `${players[0]?.headers['authorization']}\r\nContent-Type: application/json\r\nContent-Length: ` +
            `5000\r\n\r\n{`,
        ),
      drip: ({ socket }) => socket.write(' '),
    },
    {
      name: 'slow readers',
      // Unread answers fill the buffers of both systems; then the connection stands still until it is idle for too
      // long.
      boundMs: READER_MS,
      isDeaf: true,
      begin: ({ socket }) => {
        socket.pause();
        socket.write(`GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(12));
      },
      drip: () => undefined,
    },
  ];
  const normal = await victim.visitDuring(() => sleep(Math.min(5, seconds) * 1000));
  const before = await victim.weigh();
  const held: { way: Way; held: Held }[] = [];
  const { p95, failed } = await victim.visitDuring(async () => {
    for (let n = 0; n < connections; n += 1) {
      const way = ways[n % ways.length] as Way;
      const one = await hold(port);
      way.begin(one);
      held.push({ way, held: one });
      if (n % 50 === 49) await sleep(50);
    }
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      for (const { way, held: one } of held) if (one.closedAfterMs === null && !one.socket.destroyed) way.drip(one);
      await sleep(1000);
    }
  });
  const grown = (await victim.weigh()) - before;
  const figures: string[] = [];
  for (const way of ways) {
    const ones = held.filter((entry) => entry.way === way).map((entry) => entry.held);
    const open = way.isDeaf
      ? await openAtServer(port, ones)
      : ones.filter(({ closedAfterMs }) => closedAfterMs === null).length;
    const last = Math.max(0, ...ones.map(({ closedAfterMs }) => closedAfterMs ?? 0));
    figures.push(
      `${way.name}: ${ones.length - open} of ${ones.length} ` +
        `closed${way.isDeaf ? '' : `, the last after ${(last / 1000).toFixed(1)} s`}`,
    );
    const isOver = seconds * 1000 > way.boundMs;
    if (last > way.boundMs || (isOver && open > 0))
      faults.push(
        `${way.name}: ${open} of ${ones.length} are open after ${seconds} s, at most ${way.boundMs / 1000} s are meant`,
      );
  }
  for (const { held: one } of held) one.socket.destroy();
  if (failed > 0) faults.push(`${failed} visitors were not served meanwhile`);
  if (p95 > Math.max(FAST_ENOUGH_MS, 2 * normal.p95))
    faults.push(`others waited: p95 ${p95.toFixed(0)} ms, before ${normal.p95.toFixed(0)} ms`);
  if (grown > 100) faults.push(`memory grew by ${grown.toFixed(0)} MB`);
  return victim.judge(
    connections,
    `${figures.join('; ')}; others p95 ${normal.p95.toFixed(0)} -> ${p95.toFixed(0)} ms, memory +${grown.toFixed(0)} MB`,
    faults,
  );
}

/**
 * How many of these the server has not closed at its own end. @returns 0 where the system
 * does not tell (it is no Linux)
 */
async function openAtServer(port: number, ones: readonly Held[]): Promise<number> {
  const table = await readFile('/proc/net/tcp', 'utf8').catch(() => '');
  const wanted = new Set(ones.map(({ localPort }) => `${hex(port)} ${hex(localPort)}`));
  const lines = table.split('\n').map((line) => line.trim().split(/\s+/));
  // "sl local_address rem_address st": addresses end in ":<port in hex>", state 01 is an open connection.
  return lines.filter(
    ([, local = '', remote = '', state]) =>
      state === '01' && wanted.has(`${local.split(':')[1]} ${remote.split(':')[1]}`),
  ).length;
}

const hex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');
