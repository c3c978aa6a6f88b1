// Test 36: more of everything than anybody needs. Refused before it is read, and nothing of it stays.
import { gzipSync } from 'node:zlib';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { type Finding, processTest } from '../kit/finding.ts';
import { type Victim, exchange, openVictim, statusesIn } from './victim.ts';

export const huge = processTest({
  number: '36',
  name: 'abuse-huge',
  about: 'huge bodies, headers and addresses, a gzip bomb, ten thousand parameters',
  loads: { short: { times: 4, bombMegabytes: 20 }, full: { times: 50, bombMegabytes: 1000 } },
  describe: ({ times, bombMegabytes }) => `${times} of each, a bomb of ${bombMegabytes} MB`,
  run: (load, borrowed) => withCleanup(async (defer) => play(await openVictim(defer, borrowed), load)),
});

/** @source docs/reliability.md, test 36 */
const MAY_GROW_MB = 50;
const MEGABYTE = 1_000_000;
/** The client was disconnected while it was still sending: then the answer is lost with the line. */
const CUT = 0;

async function play(
  victim: Victim,
  { times, bombMegabytes }: { times: number; bombMegabytes: number },
): Promise<Finding> {
  const faults: string[] = [];
  const { port, host, players } = victim;
  const auth = `Authorization: ${players[0]?.headers['authorization']}\r\n`;
  const post = (more: string, path = '/api/pay/adyen_pay') =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${auth}Content-Type: application/json\r\nX-Refill: 1\r\n${more}\r\n`;
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`);
  const bomb = makeBomb(bombMegabytes);
  const manyKeys = `{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":1`).join(',')}}`;
  const cases: [name: string, bytes: () => Buffer | string, allowed: readonly number[]][] = [
    ['a body of 10 MB', () => Buffer.concat([Buffer.from(post(`Content-Length: ${10 * MEGABYTE}\r\n`)), Buffer.alloc(10 * MEGABYTE, 'x')]), [413, CUT]],
    ['a body of 10 MB in chunks', () => Buffer.concat([Buffer.from(post('Transfer-Encoding: chunked\r\n')), ...Array<Buffer>(160).fill(chunk), Buffer.from('0\r\n\r\n')]), [413, CUT]],
    ['a body that says it has 10 MB', () => `${post(`Content-Length: ${10 * MEGABYTE}\r\n`)}${'x'.repeat(1000)}`, [413]],
    ['a body that says it is endless', () => post('Content-Length: 999999999999\r\n'), [413]],
    ['a callback of 10 MB', () => Buffer.concat([Buffer.from(post(`Content-Length: ${10 * MEGABYTE}\r\n`, '/callback/adyen')), Buffer.alloc(10 * MEGABYTE, 'x')]), [413, CUT]],
    ['a header of 100 kB', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Big: ${'x'.repeat(100_000)}\r\n\r\n`, [431]],
    ['a thousand headers', () => `GET / HTTP/1.1\r\nHost: ${host}\r\n${Array.from({ length: 1000 }, (_, n) => `X-${n}: ${'y'.repeat(30)}\r\n`).join('')}\r\n`, [431]],
    ['a cookie of 20 kB', () => `GET / HTTP/1.1\r\nHost: ${host}\r\nCookie: a=${'x'.repeat(20_000)}\r\n\r\n`, [431]],
    ['an address of 100 kB', () => `GET /?${'x'.repeat(100_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, [414, 431]],
    ['a path of 12 kB', () => `GET /${'x'.repeat(12_000)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, [404, 414, 431]],
    ['a gzip bomb', () => Buffer.concat([Buffer.from(post(`Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\nConnection: close\r\n`)), bomb]), [400, 413, 415]],
    ['ten thousand keys in a body', () => `${post(`Content-Length: ${manyKeys.length}\r\nConnection: close\r\n`)}${manyKeys}`, [400, 413]],
    ['a thousand keys in a query', () => `GET /api/pay/getGoodsList?client_id=70021&${Array.from({ length: 1000 }, (_, n) => `k${n}=1`).join('&')} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, [200, 414, 431]],
  ]; /* a row a line */ // prettier-ignore
  // Once before, so that what is made once is not counted.
  for (const [, bytes] of cases) await exchange(port, bytes(), 5000);
  const before = await victim.weigh();
  let most = before;
  const seen = new Map<string, number>();
  const { p95, failed } = await victim.visitDuring(async () => {
    for (const [name, bytes, allowed] of cases) {
      for (let n = 0; n < times; n += 1) {
        const received = await exchange(port, bytes(), 8000);
        const statuses = statusesIn(received.text);
        seen.set(`${name} ${statuses.join(',')}`, (seen.get(`${name} ${statuses.join(',')}`) ?? 0) + 1);
        if (statuses.length > 1 || !allowed.includes(statuses[0] ?? (received.isClosed ? CUT : -1)))
          faults.push(
            `${name} is answered ${statuses.join(', ') || 'not at all'}${received.isClosed ? ', then closed' : ''}`,
          );
        if (/\.ts:|node_modules/.test(received.text)) faults.push(`${name}: the answer tells of its inside`);
        most = Math.max(most, await victim.weigh());
      }
    }
  });
  const grown = most - before;
  if (grown > MAY_GROW_MB) faults.push(`memory grew by ${grown.toFixed(0)} MB`);
  if (failed > 0) faults.push(`${failed} visitors were not served`);
  return victim.judge(
    cases.length * times,
    `${cases.length * times} refused, memory +${grown.toFixed(0)} MB of ${before.toFixed(0)}, others p95 ` +
      `${p95.toFixed(0)} ms`,
    faults,
  );
}

/**
 * Grows to `megabytes` of JSON text; made of members, so that it is never whole in our memory either. @source RFC 1952,
 * 2.2: a file is a series of members
 */
function makeBomb(megabytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(10 * MEGABYTE, ' '), { level: 9 });
  return Buffer.concat(Array<Buffer>(Math.ceil(megabytes / 10)).fill(member)).subarray(0, 60_000);
}
