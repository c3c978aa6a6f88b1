// Test 38: requests that two parties may cut in different places. Refused with 400 and a closed line;
// nobody gets another's answer.
import { withCleanup } from '#bench/kit/cleanup.ts';
import { type Finding, processTest } from '../kit/finding.ts';
import { type Victim, exchange, openVictim, statusesIn } from './victim.ts';

export const smuggling = processTest({
  number: '38',
  name: 'abuse-smuggling',
  about: 'two lengths, two encodings, bare line feeds, old versions, a hundred questions at once',
  loads: { short: { pipelined: 40 }, full: { pipelined: 100 } },
  describe: ({ pipelined }) => `40 cases, ${pipelined} pipelined`,
  run: ({ pipelined }, borrowed) => withCleanup(async (defer) => play(await openVictim(defer, borrowed), pipelined)),
});

/**
 * `refused`: 4xx and nothing after it. `one`: exactly one answer, then closed. `none`: no answer, for it has not ended.
 */
type Verdict = 'refused' | 'one' | 'none';
type Case = readonly [name: string, verdict: Verdict, bytes: string];

/**
 * Lists requests that a smuggler hopes the server takes for separate ones. @source PortSwigger, "HTTP request
 * smuggling"; RFC 9112 sections 5, 6, 7 and 11.2
 */
function listCases(host: string): Case[] {
  const inner = `GET /healthz?smuggled HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const post = (headers: string, body: string, line = 'POST /util/login/auth HTTP/1.1') =>
    `${line}\r\nHost: ${host}\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;
  const get = (headers: string) => `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n`;
  const te = (encoding: string) => post(`${encoding}\r\nContent-Length: 4\r\n`, `0\r\n\r\n${inner}`);
  const chunked = (body: string) => post('Transfer-Encoding: chunked\r\n', body);
  return [
    ['length and chunks', 'refused', te('Transfer-Encoding: chunked')],
    ['chunks and length', 'refused', post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${inner}`)],
    ['two lengths', 'refused', post('Content-Length: 2\r\nContent-Length: 50\r\n', `{}${inner}`)],
    ['two equal lengths', 'refused', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}')],
    ['lengths in a list', 'refused', post('Content-Length: 2, 50\r\n', `{}${inner}`)],
    ['a length with a plus', 'refused', post('Content-Length: +2\r\n', `{}${inner}`)],
    ['a length below nothing', 'refused', post('Content-Length: -1\r\n', inner)],
    ['a length in hex', 'refused', post('Content-Length: 0x2\r\n', `{}${inner}`)],
    ['a length with a blank inside', 'refused', post('Content-Length: 2 0\r\n', `{}${inner}`)],
    ['a length that is no number', 'refused', post('Content-Length: two\r\n', `{}${inner}`)],
    ['a length beyond all numbers', 'refused', post('Content-Length: 99999999999999999999999\r\n', `{}${inner}`)],
    ['a blank before the colon', 'refused', post('Content-Length : 2\r\n', `{}${inner}`)],
    ['chunks with a blank before the colon', 'refused', te('Transfer-Encoding : chunked')],
    ['chunks with a tab before the colon', 'refused', te('Transfer-Encoding\t: chunked')],
    ['xchunked', 'refused', te('Transfer-Encoding: xchunked')],
    ['chunked twice', 'refused', te('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked')],
    ['chunked, then identity', 'refused', te('Transfer-Encoding: chunked, identity')],
    ['identity', 'refused', te('Transfer-Encoding: identity')],
    ['chunked behind a line break', 'refused', te('Transfer-Encoding:\r\n chunked')],
    ['chunked in quotes', 'refused', te('Transfer-Encoding: "chunked"')],
    ['chunked behind a vertical tab', 'refused', te('Transfer-Encoding: \x0bchunked')],
    ['chunked behind a NUL', 'refused', te('Transfer-Encoding: \0chunked')],
    ['a header that hides chunks', 'refused', te('X: x\nTransfer-Encoding: chunked')],
    ['a size that is no number', 'refused', chunked(`zz\r\n\r\n${inner}`)],
    ['a size below nothing', 'refused', chunked(`-1\r\n\r\n${inner}`)],
    ['a size with 0x', 'refused', chunked(`0x2\r\n{}\r\n0\r\n\r\n${inner}`)],
    ['a size beyond all numbers', 'refused', chunked(`fffffffffffffffff\r\n{}\r\n${inner}`)],
    ['a chunk longer than it says', 'refused', chunked(`2\r\n{}xx\r\n0\r\n\r\n${inner}`)],
    ['a chunk ended by a bare line feed', 'refused', chunked(`2\n{}\n0\n\n${inner}`)],
    ['bare line feeds', 'refused', `GET /healthz HTTP/1.1\nHost: ${host}\n\n`],
    ['a bare carriage return in a header', 'refused', get('X: a\rY: b\r\n')],
    ['a folded header', 'refused', get('X: a\r\n b\r\n')],
    ['a blank before the first header', 'refused', `GET /healthz HTTP/1.1\r\n Host: ${host}\r\n\r\n`],
    ['a header without a name', 'refused', get(': x\r\n')],
    ['two hosts', 'refused', `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`],
    ['no host', 'refused', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['version 2.0 in words', 'one', `GET /healthz HTTP/2.0\r\nHost: ${host}\r\n\r\n`],
    ['version 0.9', 'none', 'GET /healthz\r\n'],
    ['version 1.0', 'one', `GET /healthz HTTP/1.0\r\nHost: ${host}\r\n\r\n`],
    [
      'a GET with a body that looks like a question',
      'one',
      `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${inner.length}\r\nConnection: close\r\n\r\n${inner}`,
    ],
  ];
}

async function play(victim: Victim, pipelined: number): Promise<Finding> {
  const faults: string[] = [];
  const cases = listCases(victim.host);
  if (cases.length !== 40) faults.push(`${cases.length} cases, not 40`);
  const counts = { refused: 0, one: 0 };
  for (const [name, verdict, bytes] of cases) {
    const received = await exchange(victim.port, Buffer.from(bytes, 'latin1'), 2500);
    const statuses = statusesIn(received.text);
    const [first = 0] = statuses;
    const isRefused = statuses.length === 1 && first >= 400 && first < 500 && received.isClosed;
    const isOne = statuses.length === 1 && first < 500 && received.isClosed;
    const isRight = { refused: isRefused, one: isOne, none: isRefused || statuses.length === 0 }[verdict];
    if (!isRight)
      faults.push(`${name}: ${statuses.join(', ') || 'no answer'}, ${received.isClosed ? 'closed' : 'open'}`);
    else counts[verdict === 'one' ? 'one' : 'refused'] += 1;
  }
  faults.push(...(await pipeline(victim, pipelined)));
  return victim.judge(
    cases.length,
    `${counts.refused} refused, ${counts.one} answered once, ${pipelined} pipelined answers in order`,
    faults,
  );
}

/** One connection, questions of several players in turn: each answer belongs to its question. */
async function pipeline({ port, host, players }: Victim, count: number): Promise<string[]> {
  const names: string[] = [];
  let bytes = '';
  for (let n = 0; n < count; n += 1) {
    const player = players[n % players.length];
    names.push(player?.playerId ?? '');
    const isLast = n === count - 1;
    bytes +=
      `GET /util/login/get_user_info?client_id=70021 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ` +
      `${player?.headers['authorization']}\r\n${isLast ? 'Connection: close\r\n' : ''}\r\n`;
  }
  const { text } = await exchange(port, bytes, 20_000);
  const suids = [...text.matchAll(/"suid":"([^"]+)"/g)].map(([, suid]) => suid ?? '');
  const order = new Map<string, string>();
  const faults = suids.length === count ? [] : [`${suids.length} of ${count} pipelined answers came`];
  for (const [n, suid] of suids.entries()) {
    const known = order.get(names[n] ?? '') ?? suid;
    order.set(names[n] ?? '', known);
    if (known !== suid) faults.push(`answer ${n} belongs to somebody else`);
  }
  if (new Set(order.values()).size !== Math.min(players.length, count)) faults.push('players share an answer');
  return faults;
}
