// The one way to send a browser on: to a path of ours, by GET.
import type { FastifyReply } from 'fastify';
import type { OwnPath } from '#kernel/own-path.ts';

/** @see docs/decisions/0019-links-ask.md */
export function redirectTo(reply: FastifyReply, path: OwnPath): FastifyReply {
  return reply.redirect(path, 303);
}
