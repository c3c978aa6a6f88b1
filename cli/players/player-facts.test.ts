import { afterAll, beforeAll, expect, test } from 'vitest';
import { saveRealName } from '#server/modules/realname/store.ts';
import { declareAge } from '#server/modules/spending/store.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';
import { runCommand } from '#cli/test-run.ts';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await createTestShop();
  player = await shop.logIn();
});
afterAll(() => shop.close());

const refill = (...args: string[]) => runCommand(args, { DATABASE_URL: shop.databaseUrl });
const whose = () => ['--brand', 'watt', '--player', player.suid];
const why = ['--reason', 'papers seen', '--by', 'anna'];
const shown = async () => JSON.parse((await refill('player', 'show', ...whose(), '--json')).out);
const audits = async (act: string) =>
  (await shop.db.query('select actor, details from audit_entry where act = $1 order by id', [act])).rows;

test('an age is corrected and forgotten with the name of who did it', async () => {
  await declareAge(shop.db, player.playerId, { birthYear: 2012, birthMonth: 5, hasConsent: true }, null);
  expect(await shown()).toMatchObject({ born: '2012-05' });
  const set = await refill('player', 'age', ...whose(), '--birth', '2008-11', '--consent', ...why);
  expect(set).toEqual({ code: 0, err: '', out: 'The player was born in 2008-11 now.\n' });
  expect((await refill('player', 'show', ...whose())).out).toContain('Born 2008-11');
  expect(await refill('player', 'age', ...whose(), '--erase', ...why)).toMatchObject({ code: 0 });
  expect(await refill('player', 'age', ...whose(), '--erase', ...why)).toMatchObject({ code: 3 });
  expect(await shown()).toMatchObject({ born: null });
  expect(await audits('player-age')).toMatchObject([
    { actor: 'anna', details: { consent: true, reason: 'papers seen' } },
    { actor: 'anna', details: { erased: true } },
  ]);
});

test('a real name is shown with its source, and forgotten so that it is checked anew', async () => {
  await saveRealName(shop.db, player.playerId, { state: 'verified', source: 'operator' });
  expect(await shown()).toMatchObject({ real_name: { state: 'verified', source: 'operator' } });
  expect(await refill('player', 'real-name', ...whose(), '--erase', ...why)).toMatchObject({ code: 0 });
  expect(await shown()).toMatchObject({ real_name: null });
  expect(await audits('player-real-name')).toHaveLength(1);
});

test.each([
  [['--birth', '2008-13'], '--birth "2008-13"'],
  [['--birth', '2008-11', '--erase'], 'either --birth or --erase'],
  [[], 'either --birth or --erase'],
])('age %j says what is wrong', async (args, sentence) => {
  const answer = await refill('player', 'age', ...whose(), ...why, ...args);
  expect(answer).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
});
