import { expect, test } from 'vitest';
import { createNamedTexts } from './outbound-named.ts';
import { type Outbound, OutboundError } from './outbound.ts';

const at = (n: number | string) => `https://certs.example/${n}`;
const isGood = (text: string) => text.startsWith('good');

function setUp(
  answer: (url: string) => { status: number; text: string } | Error = (url) => ({ status: 200, text: `good ${url}` }),
) {
  let time = 0;
  const calls: string[] = [];
  const outbound: Outbound = async (url) => {
    calls.push(url);
    const given = answer(url);
    if (given instanceof Error) throw given;
    return { ...given, headers: {} };
  };
  const texts = createNamedTexts(outbound, () => time);
  let sender = 0;
  return {
    calls,
    pass: (ms: number) => (time += ms),
    read: (url: string, ip = `198.51.100.${(sender += 1)}`) => texts.read(url, ip, isGood),
  };
}

test('a text that is good is fetched once, however many ask at once, and again after a day', async () => {
  const { read, calls, pass } = setUp();
  const texts = await Promise.all(Array.from({ length: 50 }, () => read(at(1))));
  expect(new Set(texts.map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ kind: 'text', text: `good ${at(1)}` })]),
  );
  await read(at(1));
  expect(calls).toHaveLength(1);
  pass(86_400_001);
  await read(at(1));
  expect(calls).toHaveLength(2);
});

test('one sender gets five unknown addresses a minute, all together twenty', async () => {
  const { read, calls } = setUp();
  for (let n = 0; n < 10; n += 1) await read(at(n), '2001:db8::1');
  expect(calls).toHaveLength(5);
  expect(await read(at(9), '2001:db8::2')).toMatchObject({ kind: 'unavailable' });
  for (let n = 10; n < 60; n += 1) await read(at(n));
  expect(calls).toHaveLength(20);
  // A known text is answered all the same.
  expect(await read(at(25), '2001:db8::1')).toMatchObject({ kind: 'unavailable' });
  expect(await read(at(24), '2001:db8::1')).toMatchObject({ kind: 'text' });
});

test('few are kept, and invented ones never push a good one out', async () => {
  const { read, calls } = setUp((url) => ({ status: 200, text: url.endsWith('real') ? 'good' : 'x'.repeat(5000) }));
  await read(at('real'));
  for (let n = 0; n < 19; n += 1) await read(at(n));
  expect(await read(at('real'))).toEqual({ kind: 'text', text: 'good' });
  expect(calls).toHaveLength(20);
  expect(await read(at(3))).toEqual({ kind: 'text', text: 'x'.repeat(100) });
});

test('an address that was good is renewed before it ends, and invented ones never keep it out', async () => {
  let isAway = false;
  const answer = (url: string) => {
    if (!url.endsWith('real')) return { status: 404, text: '' };
    return isAway ? new OutboundError('timeout', true, 'late') : { status: 200, text: 'good' };
  };
  const { read, calls, pass } = setUp(answer);
  const flood = async () => {
    for (let n = 0; n < 40; n += 1) await read(at(`invented-${calls.length}-${n}`));
  };
  const renewed = () => new Promise((resolve) => setImmediate(resolve));
  const real = () => calls.filter((url) => url.endsWith('real')).length;
  await read(at('real'));
  // Renewed behind an answer, with the budget of unknown ones used up.
  pass(19 * 3_600_000);
  await flood();
  expect((await read(at('real'))).kind).toBe('text');
  await renewed();
  expect(real()).toBe(2);
  // The host is away when it is to be renewed: believed until its end, and asked every half minute.
  isAway = true;
  pass(19 * 3_600_000);
  for (let n = 0; n < 5; n += 1) expect((await read(at('real'))).kind).toBe('text');
  await renewed();
  expect(real()).toBe(3);
  pass(6 * 3_600_000);
  expect((await read(at('real'))).kind).toBe('unavailable');
  await flood();
  isAway = false;
  pass(30_001);
  expect((await read(at('real'))).kind).toBe('text');
  expect(real()).toBe(5);
});

test.each<[string, { status: number; text: string } | Error]>([
  ['answers 429', { status: 429, text: '' }],
  ['is silent', new OutboundError('timeout', true, 'late')],
])('a host that %s is asked again after half a minute, not before', async (_name, answer) => {
  const { read, calls, pass } = setUp(() => answer);
  expect((await read(at(1))).kind).toBe('unavailable');
  expect((await read(at(1))).kind).toBe('unavailable');
  expect(calls).toHaveLength(1);
  pass(30_001);
  await read(at(1));
  expect(calls).toHaveLength(2);
});

test.each(['?x=1', '?', '#x'])('an address with %s is never fetched', async (tail) => {
  const { read, calls } = setUp();
  await expect(read(at(1) + tail)).rejects.toThrow(RangeError);
  expect(calls).toEqual([]);
});
