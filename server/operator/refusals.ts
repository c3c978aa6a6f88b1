// Refusals of the operator's port, all in the form of the admin API: its own codes, and the faults that Fastify finds
// before a handler is asked.
import type { FastifyReply } from 'fastify';
import { ADMIN_ERRORS, type AdminError } from '#contracts/admin.ts';

export function errorBody(code: AdminError, more: { message?: string; outcome?: string } = {}): object {
  const { message = ADMIN_ERRORS[code].about, outcome } = more;
  return { error: { code, message, ...(outcome === undefined ? {} : { outcome }) } };
}

export function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(body as object);
}

export function refuse(reply: FastifyReply, code: AdminError, message?: string): FastifyReply {
  if (code === 'too_many') reply.header('retry-after', '60');
  return send(reply, ADMIN_ERRORS[code].http, errorBody(code, message === undefined ? {} : { message }));
}

/** Nothing of the request is repeated: Fastify's own words would name its address. */
const SENTENCES: Readonly<Record<string, string>> = {
  FST_ERR_BAD_URL: 'the address is not percent-encoded as UTF-8',
  FST_ERR_MAX_PARAM_LENGTH: 'a part of the address is too long',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'the header content-type cannot be read; write application/json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'the body is not as long as the header content-length says',
  FST_ERR_CTP_INVALID_JSON_BODY: 'the body is no JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'the body is no JSON',
};

/** Refuses what Fastify itself did not take: a status below 500. */
export function refuseUnread(reply: FastifyReply, error: { code?: string; statusCode?: number }): FastifyReply {
  if (error.statusCode === 413) return refuse(reply, 'too_large');
  if (error.statusCode === 404) return refuse(reply, 'not_found');
  return refuse(reply, 'bad_request', SENTENCES[error.code ?? ''] ?? 'the request cannot be read');
}
