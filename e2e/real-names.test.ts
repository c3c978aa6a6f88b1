// Both ways to check a real name against their simulators, over real HTTP: a game's contract and an operator's service.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import {
  createOperatorRealNames,
  createOutbound,
  createStandardGameServer,
  readRealNameAnswer,
} from '#testing/providers.ts';

let simulators: Simulators;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'refill-real-names-'));
  simulators = await startSimulators({ port: 0, dataDir: folder, shopUrl: 'http://127.0.0.1:1', durable: false });
});
afterAll(async () => {
  await simulators?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const BACK = 'http://shop.test/certifiedReal?client_id=70011';
const setting = (name: string) => simulators.environment[name] ?? '';
const reach = (url: string) => createOutbound({ allowedHosts: new Set([new URL(url).host]) });

/** Presses a button on the page as the player; returns where the page leads back to. */
async function press(url: string, action: 'verify' | 'refuse' | 'cancel'): Promise<string | null> {
  expect((await fetch(url)).status).toBe(200);
  const { origin, pathname, searchParams } = new URL(url);
  const body = new URLSearchParams({ ...Object.fromEntries(searchParams), action });
  return (await fetch(`${origin}${pathname}`, { method: 'POST', redirect: 'manual', body })).headers.get('location');
}

function openGame() {
  const url = setting('REFILL_GAME_EMBERFALL_DEMO_URL');
  const secrets = [setting('REFILL_GAME_EMBERFALL_DEMO_SECRETS')];
  const game = createStandardGameServer({ baseUrl: url, secrets, outbound: reach(url), now: Date.now });
  return async (userId: string) => game.checkRealName?.({ clientId: '70011', userId, returnUrl: BACK });
}
function openOperator(secrets = [setting('REFILL_REALNAME_DEMO_SECRETS')]) {
  const url = setting('REFILL_REALNAME_DEMO_URL');
  const checker = createOperatorRealNames({ url, secrets, outbound: reach(url), now: Date.now });
  return async (userId: string) =>
    checker.check({ brandKey: 'rhinosJp' as never, clientId: '70011', userId, returnUrl: BACK });
}
const WAYS = [
  { name: 'a game', open: openGame },
  { name: "an operator's service", open: () => openOperator() },
];

describe.each(WAYS)('$name', ({ open }) => {
  test('L158 not finished, refused and verified', async () => {
    const check = open();
    const begun = await check('u1');
    if (begun?.kind !== 'unfinished') throw new Error(`it answered ${begun?.kind}`);
    expect(await press(begun.url, 'cancel')).toBe(BACK);
    expect(await check('u1')).toEqual(begun);
    await press(begun.url, 'refuse');
    expect(await check('u1')).toEqual({ kind: 'refused', reason: 'name_not_confirmed' });
    expect(await check('u1')).toEqual(begun);
    await press(begun.url, 'verify');
    expect(await check('u1')).toEqual({ kind: 'verified' });
    expect((await check('u2'))?.kind).toBe('unfinished');
  });
});

test("a wrong secret, or nobody at the operator's address, verifies nobody", async () => {
  const wrong = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  expect(await openOperator([wrong])('u9')).toMatchObject({ kind: 'unknown' });
  const url = 'http://127.0.0.1:1/check';
  const nobody = createOperatorRealNames({ url, secrets: [wrong], outbound: reach(url), now: Date.now });
  const question = { brandKey: 'rhinosJp' as never, clientId: '70011', userId: 'u', returnUrl: BACK };
  expect(await nobody.check(question)).toMatchObject({ kind: 'unknown' });
});

test.each([
  [200, '{"status":"ok","verified":true}', 'verified'],
  [200, '{"status":"ok","verified":"yes"}', 'unknown'],
  [200, '{"status":"ok","verified":false}', 'unknown'],
  [500, '{"status":"ok","verified":true}', 'unknown'],
  [302, '', 'unknown'],
  [200, 'verified', 'unknown'],
  [200, '{"status":"declined"}', 'refused'],
])('%i %s is %s', (status, text, kind) => {
  expect(readRealNameAnswer(status, text).kind).toBe(kind);
});
