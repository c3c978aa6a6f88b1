// A real server that is abused: what it weighs, whether it lives, how fast others are served, and
// bytes sent to it as they are.
import { type Socket, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Defer } from '#bench/kit/cleanup.ts';
import { percentile } from '#bench/kit/figures.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { get, readMemoryMb } from '../kit/health.ts';
import { type Borrowed, type Finding, toFinding } from '../kit/finding.ts';
import { type Player, makePlayers } from '../kit/players.ts';
import { type ChaosShop, type Slot, startChaosShop } from '../kit/shop.ts';

export type Victim = {
  readonly shop: ChaosShop;
  readonly slot: Slot;
  readonly port: number;
  readonly host: string;
  readonly players: readonly Player[];
  /** Megabytes that the process holds; 0 where this system does not tell. */
  weigh(): Promise<number>;
  /** Asks as a visitor does while `work` runs. @returns p95 in ms, and how many were not answered well */
  visitDuring<Result>(work: () => Promise<Result>): Promise<{ result: Result; p95: number; failed: number }>;
  /** Looks at what must be true after all of it. */
  judge(orders: number, figures: string, faults: string[]): Promise<Finding>;
};

export async function openVictim(defer: Defer, borrowed: Borrowed): Promise<Victim> {
  const shop = await startChaosShop(defer, { isForgetful: true, ...borrowed });
  const players = await makePlayers(shop, 4);
  const [slot] = shop.slots;
  if (!slot) throw new Error('no server was started');
  const pid = slot.pid();
  const host = players[0]?.headers['host'] ?? '';
  return {
    shop,
    slot,
    port: slot.port,
    host,
    players,
    weigh: () => readMemoryMb(pid),
    visitDuring: async (work) => {
      const took: number[] = [];
      let failed = 0;
      let isOver = false;
      const visits = (async () => {
        while (!isOver) {
          const { status, ms } = await get(shop, '/api/pay/getGameListV2?client_id=70021', { host });
          if (status !== 200) failed += 1;
          took.push(ms);
          await sleep(20);
        }
      })();
      const result = await work().finally(() => {
        isOver = true;
      });
      await visits;
      return { result, p95: percentile(took, 95), failed };
    },
    judge: async (orders, figures, faults) => {
      const isSame = slot.isUp() && slot.pid() === pid;
      if (!isSame) faults.push('the server died');
      for (const line of slot.troubles.slice(0, 5)) faults.push(`the server complained: ${line.slice(0, 500)}`);
      const { status } = await get(shop, '/readyz', { host });
      if (status !== 200) faults.push(`the server is not ready afterwards: ${status}`);
      const breaches = (await checkInvariants(shop.db))
        .filter((one) => one.breaches > 0)
        .map((one) => `${one.invariant} (${one.breaches})`);
      return toFinding({ lost: [], doubled: [], breaches }, orders, figures, faults);
    },
  };
}

export type Received = { readonly text: string; readonly isClosed: boolean; readonly ms: number };

/** Sends bytes as they are and listens until the server hangs up or `waitMs` are over. */
export function exchange(port: number, bytes: string | Buffer, waitMs: number): Promise<Received> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const finish = (isClosed: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), isClosed, ms: performance.now() - began });
    };
    const timer = setTimeout(() => finish(false), waitMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that refuses may hang up while we still write.
    socket.on('error', () => undefined);
    socket.on('close', () => finish(true));
    socket.on('connect', () => socket.write(bytes));
  });
}

/** A connection that a slow visitor keeps; `closedAfterMs` once the server has hung up. */
export type Held = {
  readonly socket: Socket;
  readonly localPort: number;
  readonly openedAt: number;
  closedAfterMs: number | null;
};

export function hold(port: number): Promise<Held> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let held: Held | undefined;
    socket.on('error', () => undefined);
    const take = (): Held =>
      (held ??= { socket, localPort: socket.localPort ?? 0, openedAt: performance.now(), closedAfterMs: null });
    socket.on('close', () => {
      const one = take();
      one.closedAfterMs = performance.now() - one.openedAt;
      resolve(one);
    });
    // A client that does not read does not hear that the line is closed either.
    socket.resume();
    socket.on('connect', () => resolve(take()));
  });
}

/** Status lines in what came back. */
export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => Number(status));
