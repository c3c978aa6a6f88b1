// Tests checks that only one provider has: a wrong key to believe answers by, contracts without codes, the second
// protocol of Alipay.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPaymentProvider } from '#testing/providers.ts';
import { check } from './kit/cases-check.ts';
import type { Declaration } from './kit/declaration.ts';
import { createProviderHarness, type ProviderHarness } from './kit/provider-harness.ts';
import { startWorld, type World } from './kit/world.ts';
import { declaration as adyenDeclaration } from './adyen.ts';
import { declaration as alipayDeclaration } from './alipay.ts';
import { declaration as funtapDeclaration } from './funtap.ts';
import { declaration as kakaoDeclaration } from './kakao.ts';
import { declaration as payermaxDeclaration } from './payermax.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => world?.close());

function standOf(name: string, declaration: Declaration): ProviderHarness {
  const provider = findPaymentProvider(name);
  if (!provider) throw new Error(`no adapter is called ${name}`);
  return createProviderHarness(world, provider, declaration);
}
async function outcomeOf(harness: ProviderHarness, settings: Record<string, string>) {
  return (await check(harness, harness.changed({ settings }))).outcome;
}

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherPrivate = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const otherPublic = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

test('PayerMax: each credential is blamed by name, the key of its answers too', async () => {
  const payermax = standOf('payermax', payermaxDeclaration);
  expect(await outcomeOf(payermax, {})).toMatchObject({
    kind: 'ok',
    proven: ['MERCHANT_NO', 'APP_ID', 'PRIVATE_KEY', 'PUBLIC_KEY'],
  });
  for (const [name, value] of [
    ['MERCHANT_NO', 'X'],
    ['APP_ID', 'X'],
    ['PRIVATE_KEY', otherPrivate],
    ['PUBLIC_KEY', otherPublic],
  ] as const)
    expect(await outcomeOf(payermax, { [name]: value })).toMatchObject({ kind: 'refused', lookAt: [name] });
  // A key that is none is no bug, but a sentence.
  expect(await outcomeOf(payermax, { PRIVATE_KEY: 'none' })).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('a PKCS#8 key in base64 or PEM'),
    lookAt: ['PRIVATE_KEY'],
  });
});

test.each(['antom', 'open_platform'])('Alipay by %s: our key and theirs are told apart', async (PROTOCOL) => {
  const alipay = standOf('alipay', alipayDeclaration);
  expect(await outcomeOf(alipay, { PROTOCOL })).toMatchObject({
    kind: 'ok',
    proven: ['CLIENT_ID', 'PRIVATE_KEY', 'PUBLIC_KEY'],
  });
  const wrong = async (settings: Record<string, string>) => {
    const outcome = await outcomeOf(alipay, { PROTOCOL, ...settings });
    return outcome?.kind === 'refused' ? outcome.lookAt[0] : outcome;
  };
  expect(await wrong({ PRIVATE_KEY: otherPrivate })).toBe('PRIVATE_KEY');
  expect(await wrong({ PUBLIC_KEY: otherPublic })).toBe('PUBLIC_KEY');
  const page = { status: 200, headers: {}, text: '<!doctype html><p>Back soon.' };
  const elsewhere = alipay.changed({ settings: { PROTOCOL }, outbound: () => async () => page });
  expect((await check(alipay, elsewhere)).outcome).toMatchObject({ kind: 'unreachable' });
});

test('a contract without codes is not guessed at: what came is told', async () => {
  const funtap = standOf('funtap', funtapDeclaration);
  const expected = {
    kind: 'nothing_to_ask',
    reason: expect.stringContaining('FunTap answered 1004 no such order; set NOT_FOUND_CODES'),
  };
  expect(await outcomeOf(funtap, { NOT_FOUND_CODES: '' })).toMatchObject(expected);
  expect(await outcomeOf(funtap, { NOT_FOUND_CODES: '', SECRET: 'of-somebody-else' })).toMatchObject({
    kind: 'nothing_to_ask',
    reason: expect.stringContaining('1001 wrong sign'),
  });
  expect(await outcomeOf(funtap, { QUERY_URL: '' })).toMatchObject({
    kind: 'nothing_to_ask',
    reason: expect.stringContaining('no QUERY_URL'),
  });
});

test('KakaoPay tells a wrong CID from a wrong key, Adyen a wrong account', async () => {
  const kakao = standOf('kakao', kakaoDeclaration);
  expect(await outcomeOf(kakao, { CID: 'TC0OTHER00' })).toMatchObject({
    kind: 'refused',
    lookAt: ['CID', 'SECRET_KEY'],
  });
  const adyen = standOf('adyen', adyenDeclaration);
  expect(await outcomeOf(adyen, { MERCHANT_ACCOUNT: 'Other' })).toMatchObject({
    kind: 'refused',
    lookAt: ['MERCHANT_ACCOUNT', 'API_KEY'],
  });
});
