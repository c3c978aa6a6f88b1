// A brand or game that a folder no longer has is refused where a shop closes or orders strand, unless it is accepted.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { GameId } from '#kernel/ids.ts';
import { openDb, type Db } from '#server/platform/database/db.ts';
import { createTestDatabase } from '#testing/database.ts';
import { makePlayer, placeInput, placeTestOrder, withoutTransitionLaw } from '#testing/orders.ts';
import { applyConfiguration, planConfiguration } from './service.ts';

const shipped = join(import.meta.dirname, '..', '..', '..');
let db: Db;
let root: string;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = openDb(database.url, { max: 2, onError: () => undefined });
  return async () => {
    await db.end();
    await database.drop();
  };
});

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-removals-'));
  for (const room of ['brands', 'games', 'channels'])
    await cp(join(shipped, room), join(root, room), { recursive: true });
  await db.query('truncate configuration, configuration_file, configuration_history, product_stock');
  await applyConfiguration(db, root);
  return () => rm(root, { recursive: true });
});

const revision = async (): Promise<number> =>
  (await db.query<{ revision: number }>('select revision from configuration')).rows[0]!.revision;

const acceptsRemovals = true;

test('a folder without any brand is a fault, whatever is accepted', async () => {
  await rm(join(root, 'brands'), { recursive: true });
  for (const refused of [await planConfiguration(db, root), await applyConfiguration(db, root, { acceptsRemovals })]) {
    const faults = refused.ok ? [] : refused.faults;
    expect(faults.filter(({ file }) => file === 'brands')).toMatchObject([
      { reason: expect.stringContaining(`no brand in ${join(root, 'brands')}`) },
    ]);
  }
  expect(await revision()).toBe(1);
});

test('a brand that goes is told by the plan, and applied only when it is accepted', async () => {
  await rm(join(root, 'brands', 'spotJp'), { recursive: true });
  const removals = [{ file: 'brands/spotJp/brand.yaml', reason: expect.stringContaining('--accept-removals') }];
  const plan = await planConfiguration(db, root);
  expect(plan).toMatchObject({ ok: true, lines: expect.arrayContaining(['- brand spotJp: gone']) });
  expect(plan.warnings.filter(({ file }) => file === removals[0]!.file)).toMatchObject(removals);
  expect(await applyConfiguration(db, root, { acceptsPriceJumps: true })).toMatchObject({
    ok: false,
    faults: removals,
  });
  expect(await revision()).toBe(1);
  expect(await applyConfiguration(db, root, { acceptsRemovals })).toMatchObject({ ok: true, revision: 2 });
});

/** As if the files that were applied had had them. */
async function addGameAndChannel(game: string, channel: string): Promise<void> {
  await db.query(
    `insert into configuration_file (kind, key, body)
     select kind, $1, body from configuration_file where kind = 'game' and key = 'starlane'`,
    [game],
  );
  await db.query(
    `update configuration_file set body = jsonb_set(body::jsonb, '{channels}', body::jsonb -> 'channels' ||
       jsonb_build_array(jsonb_set(body::jsonb #> '{channels,0}', '{id}', to_jsonb($1::text))))::json
     where kind = 'channels' and key = 'channels'`,
    [channel],
  );
}

test('a game goes freely, but not while its orders are open; open payments of a channel are told', async () => {
  await addGameAndChannel('nebula', '99999');
  const free = await planConfiguration(db, root);
  expect(free).toMatchObject({ ok: true, lines: expect.arrayContaining(['- game nebula: gone']) });
  expect(JSON.stringify(free.warnings)).not.toMatch(/nebula|99999/);

  const order = placeInput(await makePlayer(db), { game_id: 'nebula' as GameId, channel_key: '99999_card' });
  await placeTestOrder(db, order);
  const plan = await planConfiguration(db, root);
  const ofGame = { file: 'games/nebula/game.yaml', reason: expect.stringMatching(/^is gone while 1 of its orders/) };
  const ofChannel = { reason: expect.stringMatching(/^channel 99999 is gone while 1 of its payments may still come/) };
  expect(plan.warnings).toEqual(
    expect.arrayContaining([expect.objectContaining(ofGame), expect.objectContaining(ofChannel)]),
  );
  expect(await applyConfiguration(db, root)).toMatchObject({ ok: false, faults: [ofGame] });
  const applied = await applyConfiguration(db, root, { acceptsRemovals });
  expect(applied).toMatchObject({ ok: true, revision: 2 });
  expect(applied.warnings).toEqual(expect.arrayContaining([expect.objectContaining(ofChannel)]));
});

test.each(['paid', 'delivering', 'review', 'refund_due'])('an order that is %s keeps its game', async (state) => {
  await addGameAndChannel(`nebula-${state}`, '99999');
  const order = placeInput(await makePlayer(db), { game_id: `nebula-${state}` as GameId });
  const { billingNo } = await placeTestOrder(db, order);
  const set = 'update orders set state = $2 where player_id = $3 and billing_no = $1';
  await withoutTransitionLaw(db, set, [billingNo, state, order.player_id]);
  expect(await applyConfiguration(db, root)).toMatchObject({ ok: false });
  await withoutTransitionLaw(db, set, [billingNo, 'delivered', order.player_id]);
  expect(await applyConfiguration(db, root)).toMatchObject({ ok: true });
});
