// Answering one API call, spoiled by a fault when one is set.

import type { FastifyReply } from 'fastify';
import { type Clock, waitFor } from './clock.ts';

export type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** Longer than the 10 s after which a shop stops waiting. */
const hangMs = 12_000;

/** Carries out `perform` and sends its answer; what each fault does is told in faults.ts. */
export async function answerCall(
  reply: FastifyReply,
  clock: Clock,
  fault: string | undefined,
  perform: () => Answer | Promise<Answer>,
): Promise<FastifyReply> {
  switch (fault) {
    case 'error500':
      return reply.code(500).send({ message: 'Simulated internal error' });
    case 'error429':
      return reply.code(429).header('retry-after', '1').send({ message: 'Simulated rate limit' });
    case 'reset':
      return cut(reply);
    case 'hang':
      await waitFor(clock, hangMs);
      return cut(reply);
  }
  const answer = await perform();
  switch (fault) {
    case 'reset-after':
      return cut(reply);
    case 'empty':
      return reply.code(200).send();
    case 'html':
      return reply.code(200).type('text/html').send('<!doctype html><title>Maintenance</title><p>Back soon.');
    case 'timeout':
      await waitFor(clock, hangMs);
  }
  if (answer.headers) void reply.headers(answer.headers);
  return reply.code(answer.status).send(answer.body);
}

/** Cuts the connection without an answer. */
export function cut(reply: FastifyReply): FastifyReply {
  void reply.hijack();
  reply.raw.destroy();
  return reply;
}
