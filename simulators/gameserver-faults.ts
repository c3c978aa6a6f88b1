// How a game server can misbehave, by order of a test.

import type { FastifyReply } from 'fastify';
import { cut } from './kit/answer.ts';
import { type Clock, waitFor } from './kit/clock.ts';

export type GameFault = {
  /** Absent: all games. */
  game?: string;
  /** Absent: all players. */
  user?: string;
  kind: 'down' | 'hang' | 'reset' | 'applied-but-503' | 'cut' | 'decline' | 'role-gone' | 'latency' | 'html';
  /** Epoch milliseconds at which it ends; absent: until cleared or used up. */
  endsAt?: number;
  /** Calls that it still concerns; absent: all. */
  times?: number;
  /** 0 to 1; absent: every call. */
  probability?: number;
  reason?: string;
  roleId?: string;
  ms?: number;
  /** `cut`: how many bytes of the answer still go out. */
  bytes?: number;
};

export const gameFaultKinds: readonly GameFault['kind'][] = [
  'down',
  'hang',
  'reset',
  'applied-but-503',
  'cut',
  'decline',
  'role-gone',
  'latency',
  'html',
];

export type GameFaults = {
  add(fault: GameFault): void;
  take(game: string, kinds: GameFault['kind'][], user: string | undefined): GameFault | undefined;
  isRoleGone(game: string, roleId: string): boolean;
  list(): GameFault[];
  /** All, or those of one player. */
  clear(user?: string): void;
};

export function createGameFaults(clock: Clock): GameFaults {
  let faults: GameFault[] = [];
  const isLive = (fault: GameFault) =>
    (fault.endsAt === undefined || fault.endsAt > clock.now()) && (fault.times === undefined || fault.times > 0);
  return {
    add: (fault) => void faults.push(fault),
    take(game, kinds, user) {
      if (faults.length === 0) return undefined;
      faults = faults.filter(isLive);
      const found = faults.find(
        (fault) =>
          kinds.includes(fault.kind) && (!fault.game || fault.game === game) && (!fault.user || fault.user === user),
      );
      if (!found || (found.probability !== undefined && Math.random() >= found.probability)) return undefined;
      if (found.times !== undefined) found.times -= 1;
      return found;
    },
    isRoleGone: (game, roleId) =>
      faults.some(
        (fault) =>
          fault.kind === 'role-gone' &&
          isLive(fault) &&
          (!fault.game || fault.game === game) &&
          fault.roleId === roleId,
      ),
    list: () => faults.filter(isLive),
    clear: (user) => {
      faults = user === undefined ? [] : faults.filter((fault) => fault.user !== user);
    },
  };
}

/** Troubles before anything was done. True when the call is over. */
export async function failBefore(
  faults: GameFaults,
  game: string,
  user: string | undefined,
  reply: FastifyReply,
  clock: Clock,
): Promise<boolean> {
  const slow = faults.take(game, ['latency'], user);
  if (slow) await waitFor(clock, slow.ms ?? 500);
  const fault = faults.take(game, ['down', 'hang', 'reset'], user);
  if (!fault) return false;
  if (fault.kind === 'down') {
    void reply.code(503).header('retry-after', '5').send({ error: 'maintenance' });
    return true;
  }
  if (fault.kind === 'hang') await waitFor(clock, fault.ms ?? 12_000);
  cut(reply);
  return true;
}

/** Troubles after the work was done: the answer is lost or spoiled. True when the call is over. */
export function failAfter(
  faults: GameFaults,
  game: string,
  user: string | undefined,
  reply: FastifyReply,
  answer: unknown,
): boolean {
  const fault = faults.take(game, ['applied-but-503', 'cut', 'html'], user);
  if (!fault) return false;
  if (fault.kind === 'applied-but-503') void reply.code(503).send({ error: 'upstream timeout' });
  else if (fault.kind === 'html') void reply.code(200).type('text/html').send('<!doctype html><title>502</title>');
  else cutAnswer(reply, JSON.stringify(answer), fault.bytes ?? 0);
  return true;
}

/** Sends only the first bytes of the whole HTTP answer, then cuts the connection. */
function cutAnswer(reply: FastifyReply, body: string, bytes: number): void {
  void reply.hijack();
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const socket = reply.raw.socket;
  if (!socket || bytes === 0) return void reply.raw.destroy();
  socket.write(Buffer.from(head + body).subarray(0, bytes), () => socket.destroy());
}
