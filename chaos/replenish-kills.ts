// Make-up payments while the web server and the worker are killed (kill -9) in turn: paid in two tabs, in two ways,
// given back. Each that was paid is unblocked once, none is lost, and no link is sold twice.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BRAND } from '#bench/money-path/buyers.ts';
import { withCleanup } from '#bench/kit/cleanup.ts';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { refundOrder } from '#server/modules/orders/operator/operate.ts';
import { query } from '#server/platform/database/db.ts';
import { REPLENISH_MINOR, openTestReplenish } from '#testing/replenish.ts';
import { buyMany, control, payAtProvider, payForSure, placeForSure, waitUntilDelivered } from './kit/buy.ts';
import { type Borrowed, type Finding, toFinding } from './kit/finding.ts';
import { type Player, logIn, makePlayers } from './kit/players.ts';
import { PROVIDERS, countPendingCallbacks, readKeptMoney } from './kit/provider-payments.ts';
import { type ChaosShop, startChaosShop } from './kit/shop.ts';
import { type Verdict, readLongestWait } from './kit/verdict.ts';
import { killInTurn } from './kills.ts';

export type ReplenishLoad = { readonly payments: number; readonly kills: number; readonly atOnce: number };

const GAME = 'starlane';
/** Payers do these in turn: pay, press in two tabs at once, pay in two ways, pay and get the money back. */
const STORIES = ['plain', 'two tabs', 'two ways', 'given back'] as const;
type Link = { id: string; playerId: PlayerId; suid: string; billingNo: string; story: (typeof STORIES)[number] };

/** Of the game's answers: the account was unblocked, or blocked again. @source docs/reliability.md, tests 1 and 2 */
const APPLIED_BUT_503 = 0.05;
/** @source docs/decisions/0039: the target of the promise */
const TARGET_SECONDS = 60;
/**
 * A refund that a kill cut short stays leased for 150 s, then the worker's next round takes it up; some more for both.
 */
const TIMEOUT_MS = 240_000;

export function killReplenish(load: ReplenishLoad, borrowed: Borrowed): Promise<Finding> {
  return withCleanup(async (defer) => {
    const roles = ['web', 'worker'] as const;
    const environment = (slot: number) => ({ REFILL_ROLE: roles[slot] ?? 'web' });
    const shop = await startChaosShop(defer, { servers: roles.length, environment, ...borrowed });
    const payers = await makePlayers(shop, load.atOnce, { gameId: GAME });
    await control(shop, '/control/game/faults', { kind: 'applied-but-503', probability: APPLIED_BUT_503 });
    const links: Link[] = [];
    let begun = 0;
    const paying = buyMany(
      load.payments,
      payers,
      async (payer) => {
        const link = await payLink(shop, payer, payers, STORIES[links.length % STORIES.length] ?? 'plain', links);
        return link.billingNo;
      },
      (count) => void (begun = count),
    );
    const { kills } = await killInTurn(shop, { orders: load.payments, kills: load.kills }, () => begun);
    const { billingNos, troubles } = await paying;
    if (billingNos.length !== load.payments)
      troubles.push(`${billingNos.length} of ${load.payments} make-up payments came to their end`);
    await waitUntil(shop, 'money and blocks are on their way back', isAllReturned).catch((error: Error) =>
      troubles.push(error.message),
    );
    const wait = await readLongestWait(shop);
    if (wait > TARGET_SECONDS) troubles.push(`a paid account waited ${wait.toFixed(1)} s`);
    // A payment in two ways raises this alert by design.
    const isOurs = (line: string) => !line.includes('"alert":"overpayment"');
    for (const slot of shop.slots) troubles.push(...slot.troubles.filter(isOurs).slice(0, 2));
    const { repeated } = await readBlocks(shop);
    const back = links.filter(({ story }) => story === 'given back').length;
    return toFinding(
      await judgeLinks(shop, links),
      billingNos.length,
      `${billingNos.length} unblocked over ${kills} kills of web server and worker in turn, ${back} of them ` +
        `given back and blocked again, ${await countOverpayments(shop)} second payments refunded, ${repeated} ` +
        `calls of the game repeated, longest wait of a paid account ${wait.toFixed(1)} s`,
      troubles,
    );
  });
}

/** One account's make-up payment from the block to its end. */
async function payLink(
  shop: ChaosShop,
  payer: Player,
  payers: readonly Player[],
  story: Link['story'],
  links: Link[],
): Promise<Link> {
  const suid = `owes-${randomUUID().slice(0, 12)}`;
  const link: Link = { id: '', playerId: '' as PlayerId, suid, billingNo: '', story };
  links.push(link);
  const { playerId, headers } = await logIn(shop, suid, payer.headers['host'] ?? '');
  await control(shop, '/control/game/block', { game: GAME, user_id: suid });
  link.playerId = playerId;
  link.id = await openTestReplenish(shop, { playerId, brand: BRAND });
  const by = (way: Player): Player => ({ ...way, playerId, headers });
  const tap = (way: Player) => {
    const [key, body] = [randomUUID(), bodyOf(way, link.id)];
    return placeForSure(shop, by(way), key, body).then((billingNo) => ({ body, billingNo }));
  };
  // Another tab may come when the link is sold already: it is refused then.
  const lateTap = (way: Player) => tap(way).catch(() => null);
  const [placed] = await Promise.all([tap(payer), story === 'two tabs' ? lateTap(payer) : null]);
  const other = payers.find((one) => one.provider !== payer.provider);
  if (story === 'two ways' && other) {
    const second = await lateTap(other);
    const paid = [
      second !== null && (await payAtProvider(shop, by(other), second.billingNo)),
      await payAtProvider(shop, by(payer), placed.billingNo),
    ];
    if (paid.includes(true)) link.billingNo = placed.billingNo;
  }
  if (link.billingNo === '') link.billingNo = (await payForSure(shop, by(payer), placed)).billingNo;
  await waitUntilDelivered(shop, by(payer), link.billingNo);
  if (story === 'given back') {
    const input = { attemptNo: null, reason: 'asked', isRevoking: false, isDone: false };
    const answer = await refundOrder({ db: shop.db, by: 'chaos' }, link.billingNo as BillingNo, input);
    if (answer.kind !== 'done') throw new Error(`${link.billingNo} cannot be given back: ${answer.sentence}`);
  }
  return link;
}

/** The payer's usual body, for the link instead of goods. */
function bodyOf(payer: Player, replenishId: string): string {
  const { client_id, country, platform, channel_id } = JSON.parse(payer.orders[0] ?? '{}') as Record<string, string>;
  return JSON.stringify({
    client_id,
    country,
    platform,
    channel_id,
    server_id: '',
    role_id: '',
    product_id: replenishId,
    replenish_id: replenishId,
    price_minor: REPLENISH_MINOR,
  });
}

type Blocks = { unblockedBy: string[]; blocked: string[]; repeated: number };

async function readBlocks(shop: ChaosShop): Promise<Blocks> {
  const answer = await shop.simulators.request({ method: 'GET', path: `/control/game/blocks?game=${GAME}` });
  return (await answer.body.json()) as Blocks;
}

async function waitUntil(shop: ChaosShop, what: string, isSo: (shop: ChaosShop) => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + TIMEOUT_MS;
  while (!(await isSo(shop))) {
    if (performance.now() > deadline) throw new Error(`${what}: still so after ${TIMEOUT_MS / 1000} s`);
    await sleep(200);
  }
}

/** Nothing is on its way: no callback of a provider, no money and no block. */
async function isAllReturned(shop: ChaosShop): Promise<boolean> {
  for (const name of PROVIDERS) if ((await countPendingCallbacks(shop, name)) > 0) return false;
  const [left] = await query<{ open: number }>(
    shop.db,
    'chaos_returning',
    `select ((select count(*) from refund where state <> 'done') + (select count(*) from revocation
      where state <> 'done'))::integer as open`,
  );
  return left?.open === 0;
}

async function countOverpayments(shop: ChaosShop): Promise<number> {
  const [row] = await query<{ count: number }>(
    shop.db,
    'chaos_overpayments',
    `select count(*)::integer as count from payment_attempt where state = 'overpayment'`,
  );
  return row?.count ?? 0;
}

/** The database, the game and the providers must tell the same of each link. */
async function judgeLinks(shop: ChaosShop, links: readonly Link[]): Promise<Verdict> {
  const lost: string[] = [];
  const doubled: string[] = [];
  type Row = { replenish_id: string; state: string; billing_no: string | null; orders: string[]; paid: number };
  const rows = await query<Row>(
    shop.db,
    'chaos_links',
    `select p.replenish_id, p.state, p.billing_no,
       coalesce(array_agg(o.state) filter (where o.paid_at is not null), '{}') as orders,
       count(*) filter (where o.paid_at is not null)::integer as paid
     from replenish p left join orders o on o.player_id = p.player_id and o.replenish_id = p.replenish_id
     group by 1, 2, 3`,
  );
  const known = new Map(rows.map((row) => [row.replenish_id, row]));
  const { unblockedBy, blocked } = await readBlocks(shop);
  const kept = await readKeptMoney(shop);
  for (const { id, suid, billingNo, story } of links) {
    const row = known.get(id);
    const isBack = story === 'given back';
    const state = isBack ? 'refunded' : 'delivered';
    if (row?.state !== 'taken' || row.billing_no !== billingNo)
      lost.push(`${id} is ${row?.state} by ${row?.billing_no}`);
    if (row?.paid !== 1) doubled.push(`${id} was paid by ${row?.paid} orders`);
    else if (row.orders[0] !== state) lost.push(`the order of ${id} is ${row.orders[0]}, not ${state}`);
    if (!unblockedBy.includes(id)) lost.push(`${id} was paid and not unblocked`);
    if (blocked.includes(suid) !== isBack) lost.push(`${suid} is ${isBack ? 'not blocked again' : 'blocked'}`);
    const money = kept.get(billingNo) ?? 0;
    if (money !== (isBack ? 0 : REPLENISH_MINOR)) doubled.push(`the providers keep ${money} for ${id} (${story})`);
  }
  const wanted = new Set(links.map(({ id }) => id));
  for (const id of unblockedBy) if (!wanted.has(id)) doubled.push(`${id} was unblocked and nobody asked for it`);
  if (new Set(unblockedBy).size !== unblockedBy.length) doubled.push('the game holds a make-up payment twice');
  const invariants = await checkInvariants(shop.db);
  const breaches = invariants.filter((one) => one.breaches > 0).map((one) => `${one.invariant} (${one.breaches})`);
  return { lost, doubled, breaches };
}
