import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RecoveryFacts } from './recovery-store.ts';
import { openFacts, sealFacts } from './recovery-text.ts';

const [ROOT, OLD, OTHER] = ['root-0123456789abcdef', 'old-0123456789abcdef0', 'other-0123456789abcde'];
const FACTS = {
  player_id: '6f8f3a0e-5f43-4c1b-9a92-0d8d0c0e8b11',
  billing_no: '01JD3Y8Q5R7T9V1X3Z5B7D9F1H',
  game_id: 'starlane',
  amount_minor: 499,
  currency: 'USD',
} as RecoveryFacts;
const sealed = sealFacts('live', [ROOT], FACTS) ?? '';

test('comes back as it went, with the secret of before as well', () => {
  expect(openFacts('live', [ROOT], sealed)).toEqual(FACTS);
  expect(openFacts('live', [OTHER, ROOT], sealFacts('live', [ROOT, OLD], FACTS) ?? '')).toEqual(FACTS);
  expect(openFacts('live', [ROOT, OLD], sealFacts('live', [OLD], FACTS) ?? '')).toEqual(FACTS);
});

test('is the same text for the same facts, and tells nobody anything', () => {
  expect(sealFacts('live', [ROOT], { ...FACTS })).toBe(sealed);
  expect(sealFacts('live', [ROOT], { ...FACTS, amount_minor: 500 })).not.toBe(sealed);
  expect(sealed).not.toContain(FACTS.billing_no);
  expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('starlane');
});

test('is not believed when it is not ours', () => {
  expect(openFacts('live', [OTHER], sealed)).toBeNull();
  expect(openFacts('live', [], sealed)).toBeNull();
  for (const text of ['', 'r1.', 'r1.AAAA', 'r2.' + sealed.slice(3), 'nonsense'])
    expect(openFacts('live', [ROOT], text)).toBeNull();
  // The last character of base64 may hold bits that say nothing.
  for (let at = 3; at < sealed.length - 1; at += 7) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`;
    expect(openFacts('live', [ROOT], changed)).toBeNull();
  }
});

test('is left out without a secret, and for what the contract has no room for', () => {
  expect(sealFacts('live', [], FACTS)).toBeNull();
  expect(sealFacts('live', [ROOT], { ...FACTS, product_id: randomBytes(4000).toString('base64') })).toBeNull();
});

test('a text of the demonstration is nothing to live, also where both have one secret, and the other way about', () => {
  const ofDemo = sealFacts('demo', [ROOT], FACTS) ?? '';
  expect(openFacts('demo', [ROOT], ofDemo)).toEqual(FACTS);
  expect([openFacts('live', [ROOT], ofDemo), openFacts('demo', [ROOT], sealed)]).toEqual([null, null]);
  expect(sealFacts('live', [ROOT], { ...FACTS, environment: 'demo' })).toBe(sealed);
});
