// Calls that another server signs by Standard Webhooks: raw bytes in, one proof of who sent them, JSON of a shape out.
// The raw bytes are what was signed, so nothing is parsed before.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { type HttpDeps, siteOfRequest } from './http.ts';
import { hostOf, type Site } from './site.ts';

export type SignedCall = {
  /** Host name and path that were called, as the signed body has to name them. */
  readonly to: string;
  /** Out of the address: which game's secret it has to be signed with is known before a byte of the body is read. */
  readonly clientId: string;
  readonly headers: { readonly id: string; readonly timestamp: string; readonly signature: string };
  readonly body: Buffer;
};
export type SignedAnswer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> };

/** @source docs/game-server-contract.md, "Signature": five minutes, in either direction */
const SKEW_SECONDS = 300;
const LARGEST_BODY = 4096;

/** Mounts `<path>/:clientId`; a null answer is a plain 404. */
export function mountSignedCall(
  app: FastifyInstance,
  http: HttpDeps,
  path: string,
  answerCall: (site: Site, request: FastifyRequest, call: SignedCall) => Promise<SignedAnswer | null>,
): void {
  app.register(async (outside) => {
    outside.removeAllContentTypeParsers();
    outside.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_BODY }, (_request, body, done) =>
      done(null, body),
    );
    outside.post<{ Params: { clientId: string } }>(
      `${path}/:clientId`,
      { schema: { hide: true } as never },
      async (request, reply) => {
        const site = siteOfRequest(http, request);
        const header = (name: string) => String(request.headers[name] ?? '');
        const call: SignedCall = {
          to: `${hostOf(request) ?? ''}${request.url.split('?', 1)[0]}`,
          clientId: request.params.clientId,
          headers: {
            id: header('webhook-id'),
            timestamp: header('webhook-timestamp'),
            signature: header('webhook-signature'),
          },
          body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        };
        const answer = site && (await answerCall(site, request as FastifyRequest, call));
        if (!answer) return reply.code(404).type('text/plain; charset=utf-8').send('Not Found');
        return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
      },
    );
  });
}

/** Returns true when one of the secrets signed these bytes, lately. No secret signs nothing. */
export function isSigned(
  secrets: readonly string[],
  { headers, body }: Pick<SignedCall, 'headers' | 'body'>,
  nowMs: number,
): boolean {
  const { id, timestamp, signature } = headers;
  if (!/^[\w.-]{8,100}$/.test(id) || !/^\d{9,11}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > SKEW_SECONDS) return false;
  const given = signature.split(' ').filter((one) => one.startsWith('v1,'));
  const at = new Date(Number(timestamp) * 1000);
  // All pairs are compared, so that the time says nothing about which one fits.
  const matches = secrets.flatMap((secret) => {
    const expected = digest(new Webhook(secret).sign(id, at, body.toString('utf8')));
    return given.slice(0, 10).map((one) => timingSafeEqual(digest(one), expected));
  });
  return matches.includes(true);
}

/** Equal lengths for the comparison. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The body as the shape has it; null for anything else, and for texts that no column can hold. */
export function readSigned<Wanted>(body: Buffer, shape: { Check(value: unknown): boolean }): Wanted | null {
  const value = readJson(body);
  return value !== undefined && shape.Check(value) && isStorable(value) ? (value as Wanted) : null;
}

/** Reads any JSON; undefined for bytes that are none in UTF-8. */
export function readJson(body: Buffer): unknown {
  const text = body.toString('utf8');
  // Bytes that are no UTF-8 were not what was signed.
  if (Buffer.from(text, 'utf8').compare(body) !== 0) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** False for a text with a character that no column can hold. */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, part]) => isStorable(key) && isStorable(part));
}
