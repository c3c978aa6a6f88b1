// A walk whose addresses, headers and bodies are full of secrets, and the question whether a log has one of them.
import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { Pool } from 'undici';
import { ONE_TIME_KEYS } from '#contracts/documents.ts';

/** Fields of addresses that open something, or say who a player is: of logins, cards, and of what providers send back. */
const IN_ADDRESSES = [
  ...ONE_TIME_KEYS,
  'username',
  'password',
  'card_number',
  'card_password',
  'authorization_code',
  'oauth_verifier',
  'vk_access_token',
  'access_token',
  'pg_token',
  'token',
  'redirectResult',
  'code',
  'state',
  'by',
];
const IN_HEADERS = ['cookie', 'authorization', 'x-refill-beta', 'referer', 'idempotency-key', 'x-signature'];
const PATHS = [
  '/',
  '/util/login/auth',
  '/util/login/callback/vk',
  '/callback/none',
  '/assets/none.js',
  '/readyz',
  '/none',
];

export type Secrets = {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Each name with its value. */
  readonly all: readonly (readonly [name: string, value: string])[];
};

export function makeSecrets(): Secrets {
  const make = (names: readonly string[]) => names.map((name) => [name, randomBytes(9).toString('hex')] as const);
  const [query, headers, body] = [make(IN_ADDRESSES), make(IN_HEADERS), make(['password of a body'])];
  return {
    query: new URLSearchParams(query.map(([name, value]) => [name, value])).toString(),
    headers: Object.fromEntries(headers.map(([name, value]) => [name, name === 'cookie' ? `s=${value}` : value])),
    body: `password=${body[0]?.[1] ?? ''}`,
    all: [...query, ...headers, ...body],
  };
}

/**
 * @param plain port of the proxy without TLS
 * @returns the path of one more call, which the log has to name
 */
export async function walkWithSecrets(pool: Pool, host: string, plain: number, secrets: Secrets): Promise<string> {
  const { headers, query, body } = secrets;
  const marker = `/none-${randomBytes(6).toString('hex')}`;
  for (const path of [...PATHS, marker])
    for (const method of ['GET', 'POST'] as const) {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const sent = { ...headers, ...(method === 'POST' ? type : {}), host };
      const answer = await pool.request({
        method,
        path: `${path}?${query}`,
        headers: sent,
        body: method === 'POST' ? body : null,
      });
      await answer.body.dump();
    }
  const large = await pool.request({
    method: 'POST',
    path: `/none?${query}`,
    headers: { ...headers, host },
    body: `${body}${'x'.repeat(66_000)}`,
  });
  await large.body.dump();
  const moved = await request(`http://127.0.0.1:${plain}/none?${query}`, { headers: { ...headers, host } });
  await moved.body.dump();
  return marker;
}

/** @returns names of the secrets that a log has */
export const findSecrets = (log: string, { all }: Secrets): string[] =>
  all.filter(([, value]) => log.includes(value)).map(([name]) => name);
