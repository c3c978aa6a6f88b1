// Test 26: thousands of buyers at once for a stock of a hundred, each with a session and a key of their own, over HTTP.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { CODES } from '#contracts/errors.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { query } from '#server/platform/database/db.ts';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { percentile } from '#bench/kit/figures.ts';
import { BRAND } from '#bench/money-path/buyers.ts';
import { rolesOf, worlds } from '#simulators/gameserver-world.ts';
import { type Placed, callPay } from './kit/buy.ts';
import { watchOthers } from './kit/disturbance.ts';
import { type Finding, toFinding } from './kit/finding.ts';
import { type Player, headersOf, makePlayers } from './kit/players.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { judge } from './kit/verdict.ts';

/** The limited good of the shipped game, and where it is sold. */
const GAME = 'emberfall';
const PRODUCT = 'ember_phoenix';
/** @source docs/reliability.md, test 26 */
const SECONDS = 10;

export function rush(load: { buyers: number; stock: number }): Promise<Finding> {
  return withCleanup(async (defer) => {
    const shop = await startChaosShop(defer, { isForgetful: true, isDirect: true });
    await query(shop.db, 'chaos_stock', 'update product_stock set total = $1, used = 0 where product_id = $2', [
      load.stock,
      PRODUCT,
    ]);
    const buyers = await makeCrowd(shop, load.buyers);
    const othersTook = watchOthers();
    const began = performance.now();
    const answers = await Promise.all(buyers.map((buyer) => callPay(shop, buyer, buyer.orders[0] ?? '', randomUUID())));
    const seconds = (performance.now() - began) / 1000;
    const others = othersTook();
    const of = (code: number) => answers.filter((answer: Placed) => answer.code === code).length;
    const [sold, refused] = [of(CODES.success.code), of(CODES.soldOut.code)];
    const faults: string[] = [];
    if (sold !== load.stock) faults.push(`${sold} of ${load.stock} were sold`);
    if (sold + refused !== load.buyers) faults.push(`${load.buyers - sold - refused} buyers got another answer`);
    const broken = answers.filter(({ status }) => status === 0 || status >= 500).length;
    if (broken > 0) faults.push(`${broken} calls failed`);
    // Judged by what was left of the machine.
    if (seconds * (1 - others) > SECONDS)
      faults.push(`it took ${seconds.toFixed(1)} s, with ${percent(others)} of the processors taken by others`);
    const [stock] = await query<{ used: number; orders: number }>(
      shop.db,
      'chaos_sold',
      `select used, (select count(*) from orders where product_id = $1)::integer as orders
        from product_stock where product_id = $1`,
      [PRODUCT],
    );
    if (stock?.used !== sold || stock.orders !== sold) faults.push(`the database holds ${JSON.stringify(stock)}`);
    const p95 = percentile(
      answers.map((answer) => answer.ms),
      95,
    );
    return toFinding(
      await judge(shop, []),
      answers.length,
      `${load.buyers} buyers, ${sold} sold, ${refused} told "sold out", ${broken} failed, ${seconds.toFixed(1)} ` +
        `s while others took ${percent(others)} of the processors (p95 with waiting for a connection ` +
        `${(p95 / 1000).toFixed(1)} s)`,
      faults,
    );
  });
}

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

/** Players with a session and their first character of the game, which is asked for it, written by the thousand. */
async function makeCrowd(shop: ChaosShop, count: number): Promise<Player[]> {
  const [model] = await makePlayers(shop, 1, { providers: ['adyen'], gameId: GAME });
  const body: Record<string, string> = { ...JSON.parse(model?.orders[0] ?? '{}'), product_id: PRODUCT };
  const tokens = Array.from({ length: count }, () => `rf1_${randomBytes(32).toString('base64url')}`);
  const ids = tokens.map(() => randomUUID());
  const world = [...worlds.values()].find(({ clients }) => clients.some(({ id }) => id === body.client_id));
  if (!world) throw new Error(`no game of the simulators has the client ${body.client_id}`);
  const roles = ids.map((_, index) => {
    const [role] = rolesOf(world, body.client_id ?? '', `crowd-${index + 1}`) ?? [];
    if (!role) throw new Error('a player of the crowd has no character');
    return { server_id: role.server_id, areaId: role.area_id ?? '', role_id: role.id };
  });
  await query(
    shop.db,
    'chaos_crowd',
    `with made as (
       insert into player (player_id, brand_key, suid, username) select id, $3, 'crowd-' || n, 'crowd'
       from unnest($1::uuid[]) with ordinality as t(id, n)
     ), placed as (
       insert into player_role (player_id, client_id, server_id, area_id, role_id, name, level, server_name)
       select id, $4, server, area, role, 'Crowd', 1, 'Crowd'
       from unnest($1::uuid[], $5::text[], $6::text[], $7::text[]) as t(id, server, area, role)
     )
     insert into session (token_hash, public_id, player_id, brand_key, kind, auth_method, idle_until, absolute_until)
     select hash, id::text, id, $3, 'web', 'password', now() + interval '1 day', now() + interval '1 day'
     from unnest($1::uuid[], $2::bytea[]) as t(id, hash)`,
    [
      ids,
      tokens.map((token) => createHash('sha256').update(token).digest()),
      BRAND,
      body.client_id,
      roles.map((role) => role.server_id),
      roles.map((role) => role.areaId),
      roles.map((role) => role.role_id),
    ],
  );
  const host = model?.headers.host ?? '';
  return tokens.map((token, index): Player => ({
    playerId: ids[index] as PlayerId,
    provider: 'adyen',
    headers: headersOf(host, token),
    orders: [JSON.stringify({ ...body, ...roles[index] })],
    next: 0,
  }));
}
