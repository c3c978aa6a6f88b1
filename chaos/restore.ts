// A restored backup: orders of all tenders, a base backup with an archive of the log, the last minute lost, then what
// was spent in it spent again, and `refill recover`, which is killed in the middle. Everything that was bought has to
// stand in the books once, and the books have to be those of the providers and the games.
import { setTimeout as sleep } from 'node:timers/promises';
import { withCleanup } from '#bench/kit/cleanup.ts';
import { BRAND } from '#bench/money-path/buyers.ts';
import { query } from '#server/platform/database/db.ts';
import { TEST_PEPPER } from '#testing/cards.ts';
import { createBackupCluster } from './kit/backup-cluster.ts';
import {
  type Undelivered,
  endFaults,
  isErased,
  makeLeaver,
  payUndelivered,
  pressAgain,
  readRewards,
  receiveRewards,
} from './kit/beside-orders.ts';
import { waitUntilDelivered } from './kit/buy.ts';
import { type Finding, processTest, toFinding } from './kit/finding.ts';
import { readKeptMoney } from './kit/provider-payments.ts';
import { recover, runRefill } from './kit/refill-command.ts';
import { type Bought, judgeBooks } from './kit/restored-books.ts';
import { type ChaosShop, makeFolder, startChaosShop } from './kit/shop.ts';
import { type Buyer, TENDERS, buyBy, makeBuyersOf } from './kit/tenders.ts';

type RestoreLoad = { readonly orders: number; readonly players: number };

/** Of the orders before the backup's moment, after it, and after it was brought back. */
const SHARES = { known: 0.3, lost: 0.6, again: 0.1 };

export const restore = processTest({
  number: '42',
  name: 'restore',
  about:
    'the database is brought back to before the last minute; what was spent in it is spent again; recover is killed',
  loads: { short: { orders: 40, players: 4 }, full: { orders: 200, players: 8 } } satisfies Record<string, RestoreLoad>,
  describe: ({ orders }) => `${orders} orders of ${TENDERS.length} tenders`,
  run: (load) => loseAMinute(load),
});

function loseAMinute(load: RestoreLoad): Promise<Finding> {
  return withCleanup(async (defer) => {
    const backup = await createBackupCluster(defer, (await makeFolder(defer)).root);
    const shop = await startChaosShop(defer, {
      postgres: backup.cluster,
      databasePorts: () => [backup.port()],
      environment: () => ({
        REFILL_KEY_SECRETS: 'key-secret-of-the-restore-test-0123456789',
        REFILL_CARD_DEMO_PEPPER: TEST_PEPPER,
        REFILL_WALLET_DEMO_CREDIT_KEY: 'credit-key-for-tests-0123456789',
      }),
    });
    const troubles: string[] = [];
    const buyers = await makeBuyersOf(shop, load.players);
    await backup.copy();
    const buy = (share: number) => buyAll(shop, buyers, Math.round(load.orders * share), troubles);

    const [first, twice] = buyers as [Buyer, Buyer];
    const leaver = await makeLeaver(shop);
    const known = await buy(SHARES.known);
    await receiveRewards(shop, [first]);
    for (const buyer of buyers) buyer.mark();
    await backup.remember();
    const since = new Date();
    const lost = await buy(SHARES.lost);
    await receiveRewards(shop, buyers.slice(1));
    await runRefill(shop, ['person', 'erase', `player_id:${leaver}`, '--brand', BRAND, '--yes']).ended;
    const undelivered = await payUndelivered(shop, first);
    await shop.slots[0]?.kill();
    await endFaults(shop);
    const seconds = await backup.restore();
    await shop.slots[0]?.start();
    // The same cards, balances, coupons, codes and rewards as in the lost minute: the database has forgotten them.
    for (const buyer of buyers) buyer.resetUses();
    const again = await buy(SHARES.again);
    await receiveRewards(shop, [twice]);
    await shop.slots[0]?.stop();

    const gone = await countGone(shop, lost);
    const plan = await recover(shop, since, '--plan').ended;
    if ((await countAdopted(shop)) > 0) troubles.push('the plan adopted orders');
    const cutAt = await recoverAndKill(shop, since, Math.floor(lost.length / 2));
    const began = performance.now();
    const done = await recover(shop, since, '--yes').ended;
    const recoverSeconds = (performance.now() - began) / 1000;
    if (plan.orders.length !== lost.length)
      troubles.push(`the plan has ${plan.orders.length} of ${lost.length} orders`);
    for (const one of [...done.orders, ...done.rewards])
      if (one.outcome !== 'adopted') troubles.push(JSON.stringify(one));
    troubles.push(...(await deliverUndelivered(shop, undelivered, first, done)));
    if (!(await isErased(shop, leaver))) troubles.push('who was erased is there again');
    const second = await recover(shop, since, '--yes').ended;
    if (second.orders.length + second.rewards.length + second.money.length + second.erased.length > 0 || !second.ok)
      troubles.push(`the second run had something to do: ${JSON.stringify(second).slice(0, 500)}`);
    // Once for each, and once more for whoever received it before the recovery: nobody's press brings another.
    await pressAgain(shop, buyers);
    const rewards = await readRewards(shop);
    if (rewards.length !== buyers.length + 1) troubles.push(`${rewards.length} rewards are in the game`);
    const decisions = [...plan.orders, ...plan.rewards].flatMap((one) => one.decisions.map(({ decision }) => decision));
    const bought = [...known, ...lost, ...again, { billingNo: undelivered.billingNo, tender: 'xsolla' as const }];
    return toFinding(
      await judgeBooks(shop, bought),
      bought.length,
      `${gone} of ${lost.length} orders of the lost minute were gone, with ${plan.rewards.length} rewards, a ` +
        `payment without goods and an erasing; PostgreSQL was back in ${seconds.toFixed(1)} s; recover was killed ` +
        `after ${cutAt}, took the other ${done.orders.length} in within ${recoverSeconds.toFixed(1)} s and found ` +
        `nothing the second time; used twice, settled by rule: ${tell(decisions)}`,
      troubles,
    );
  });
}

type Recovered = Awaited<ReturnType<typeof recover>['ended']>;

/** The one payment that nobody outside knows the goods of: a person says so, by the command that recover names. */
async function deliverUndelivered(
  shop: ChaosShop,
  { billingNo, body }: Undelivered,
  { player }: Buyer,
  done: Recovered,
): Promise<string[]> {
  const troubles: string[] = [];
  const reference = `${billingNo}-1`;
  const open = done.money.filter((one) => one.outcome !== 'booked');
  if (open.length !== 1 || open[0]?.reference !== reference || open[0].outcome !== 'unknown_order')
    troubles.push(`money for a person: ${JSON.stringify(done.money)}`);
  for (const one of done.left)
    if (!one.billing_no?.startsWith(billingNo)) troubles.push(`still different: ${JSON.stringify(one)}`);
  const paid = (await readKeptMoney(shop)).get(billingNo) ?? 0;
  const args = Object.entries({
    provider: 'xsolla', brand: BRAND, player: `player_id:${player.playerId}`, client: body['client_id'],
    product: body['product_id'], server: body['server_id'], role: body['role_id'], area: body['areaId'],
    amount: `USD=${(paid / 100).toFixed(2)}`,
  }).flatMap(([name, value]) => (value ? [`--${name}`, String(value)] : [])); /* a row a line */ // prettier-ignore
  const adopted = await runRefill<{ ok: boolean }>(shop, ['order', 'adopt', reference, ...args]).ended;
  if (!adopted.ok) troubles.push(`the payment was not adopted: ${JSON.stringify(adopted)}`);
  await shop.slots[0]?.start();
  await waitUntilDelivered(shop, { ...player, provider: 'xsolla' }, billingNo);
  return troubles;
}

const tell = (words: readonly string[]): string =>
  [...new Set(words)]
    .toSorted()
    .map((word) => `${word} ${words.filter((one) => one === word).length}`)
    .join(', ') || 'none';

/** Tenders in turn, each buyer one order after the other. */
async function buyAll(shop: ChaosShop, buyers: readonly Buyer[], count: number, troubles: string[]): Promise<Bought[]> {
  const bought: Bought[] = [];
  let begun = 0;
  await Promise.all(
    buyers.map(async (buyer) => {
      while (begun < count) {
        const tender = TENDERS[begun % TENDERS.length] ?? 'adyen';
        begun += 1;
        await buyBy(shop, buyer, tender).then(
          (billingNo) => bought.push({ billingNo, tender }),
          (error: Error) => troubles.push(`${tender}: ${error.message}`),
        );
      }
    }),
  );
  return bought;
}

/** kill -9 once so many are adopted. @returns how many were */
async function recoverAndKill(shop: ChaosShop, since: Date, after: number): Promise<number> {
  const { child, ended } = recover(shop, since, '--yes');
  const over = ended.then(
    () => true,
    () => true,
  );
  for (;;) {
    if ((await countAdopted(shop)) >= after || child.exitCode !== null) break;
    await sleep(5);
  }
  child.kill('SIGKILL');
  await over;
  return countAdopted(shop);
}

async function countAdopted(shop: ChaosShop): Promise<number> {
  const [row] = await query<{ count: number }>(
    shop.db,
    'chaos_adopted',
    'select count(*)::integer as count from orders where adopted_at is not null',
  );
  return row?.count ?? 0;
}

async function countGone(shop: ChaosShop, lost: readonly Bought[]): Promise<number> {
  const rows = await query(shop.db, 'chaos_known', 'select from order_lookup where billing_no = any($1)', [
    lost.map((one) => one.billingNo),
  ]);
  return lost.length - rows.length;
}
