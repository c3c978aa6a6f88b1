// A restored backup: orders of all tenders, a base backup with an archive of the log, the last minute lost, then what was
// spent in it spent again, and `refill recover`, which is killed in the middle. Everything that was bought has to stand
// in the books once, and the books have to be those of the providers and the games.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { withCleanup } from '#bench/kit/cleanup.ts';
import type { BillingNo, GameId } from '#kernel/ids.ts';
import { checkInvariants } from '#server/modules/invariants/service.ts';
import { query } from '#server/platform/database/db.ts';
import { TEST_PEPPER } from '#testing/cards.ts';
import { createBackupCluster } from './kit/backup-cluster.ts';
import { type Finding, processTest, toFinding } from './kit/finding.ts';
import { readKeptMoney } from './kit/provider-payments.ts';
import { type ChaosShop, makeFolder, startChaosShop } from './kit/shop.ts';
import { type Buyer, type Tender, TENDERS, buyBy, makeBuyersOf } from './kit/tenders.ts';
import { readGame, type Verdict } from './kit/verdict.ts';

type RestoreLoad = { readonly orders: number; readonly players: number };
type Bought = { readonly billingNo: string; readonly tender: Tender };

/** Of the orders before the backup's moment, after it, and after it was brought back. */
const SHARES = { known: 0.3, lost: 0.6, again: 0.1 };
const CLI = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

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

    const known = await buy(SHARES.known);
    for (const buyer of buyers) buyer.mark();
    await backup.remember();
    const since = new Date();
    const lost = await buy(SHARES.lost);
    await shop.slots[0]?.kill();
    const seconds = await backup.restore();
    await shop.slots[0]?.start();
    // The same cards, balances, coupons and codes as in the lost minute: the database has forgotten them.
    for (const buyer of buyers) buyer.forget();
    const again = await buy(SHARES.again);
    await shop.slots[0]?.stop();

    const gone = await countGone(shop, lost);
    const plan = await recover(shop, since, '--plan').ended;
    if ((await countAdopted(shop)) > 0) troubles.push('the plan adopted orders');
    const cutAt = await recoverAndKill(shop, since, Math.floor(lost.length / 2));
    const began = performance.now();
    const done = await recover(shop, since, '--yes').ended;
    const recoverSeconds = (performance.now() - began) / 1000;
    const second = await recover(shop, since, '--yes').ended;
    if (plan.orders.length !== lost.length)
      troubles.push(`the plan has ${plan.orders.length} of ${lost.length} orders`);
    for (const one of [...done.orders, ...done.money])
      if (!['adopted', 'booked'].includes(one.outcome)) troubles.push(JSON.stringify(one));
    for (const one of done.left) troubles.push(`still different: ${JSON.stringify(one)}`);
    if (!done.ok) troubles.push('recover found something for a person');
    if (second.orders.length > 0 || !second.ok)
      troubles.push(`the second run had ${second.orders.length} orders to do`);
    const decisions = plan.orders.flatMap((one) => one.decisions.map((decision) => decision.decision));
    const bought = [...known, ...lost, ...again];
    return toFinding(
      await judgeBooks(shop, bought),
      bought.length,
      `${gone} of ${lost.length} orders of the lost minute were gone; PostgreSQL was back in ${seconds.toFixed(1)} s; recover was killed after ${cutAt}, took the other ${done.orders.length} in within ${recoverSeconds.toFixed(1)} s and found nothing the second time; used twice, settled by rule: ${tell(decisions)}`,
      troubles,
    );
  });
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

type Told = {
  ok: boolean;
  orders: {
    billing_no: BillingNo;
    game: GameId;
    outcome: string;
    decisions: { decision: string; second?: string }[];
  }[];
  money: { reference: string | null; outcome: string }[];
  left: object[];
};

/** The operator's command, as a process that can be killed. */
function recover(shop: ChaosShop, since: Date, how: '--plan' | '--yes'): { child: ChildProcess; ended: Promise<Told> } {
  const args = [CLI, 'recover', '--since', since.toISOString(), how, '--json', '--by', 'chaos'];
  const child = spawn(process.execPath, args, {
    env: { ...shop.environment, REFILL_LOG: 'warn' } as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => void (err += chunk.toString()));
  const ended = once(child, 'close').then(() => {
    if (!out.trim().startsWith('{')) throw new Error(`recover said nothing: ${err.slice(0, 500)}`);
    return JSON.parse(out) as Told;
  });
  return { child, ended };
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

type OrderRow = { billing_no: string; state: string; total: number; outside: number; paid: number; deliveries: number };

/** Each order once, and its money as the providers have it; its goods as the games have them. */
async function judgeBooks(shop: ChaosShop, bought: readonly Bought[]): Promise<Verdict> {
  const lost: string[] = [];
  const doubled: string[] = [];
  const rows = await query<OrderRow>(
    shop.db,
    'chaos_books',
    `select o.billing_no, o.state,
       (select coalesce(sum(l.amount_minor), 0)::bigint from ledger_entry l where l.player_id = o.player_id and l.billing_no = o.billing_no) as total,
       (select coalesce(sum(l.amount_minor), 0)::bigint from ledger_entry l join payment_attempt a using (player_id, billing_no, attempt_no)
         where l.player_id = o.player_id and l.billing_no = o.billing_no and l.account = 'provider_receivable' and a.provider not in ('card', 'wallet')) as outside,
       (select count(*)::integer from payment_attempt a where a.player_id = o.player_id and a.billing_no = o.billing_no and a.state in ('succeeded', 'overpayment')) as paid,
       (select count(*)::integer from delivery d where d.player_id = o.player_id and d.billing_no = o.billing_no and d.state = 'done') as deliveries
     from orders o`,
  );
  const known = new Map(rows.map((row) => [row.billing_no, row]));
  const { keys } = await readGame(shop);
  const { unblockedBy } = await readUnblocked(shop);
  const kept = await readKeptMoney(shop);
  if (new Set(keys).size !== keys.length) doubled.push('a game holds a key twice');
  for (const { billingNo, tender } of bought) {
    const row = known.get(billingNo);
    if (row?.state !== 'delivered' || row.deliveries !== 1 || row.paid !== 1)
      lost.push(`${billingNo} (${tender}) is ${row?.state ?? 'nowhere'}, paid ${row?.paid ?? 0} times`);
    if (tender !== 'replenish' && !keys.includes(billingNo)) lost.push(`${billingNo} never reached the game`);
    if (row && row.total !== 0) doubled.push(`${billingNo} has ledger entries that sum to ${row.total}`);
    if (row && row.outside !== (kept.get(billingNo) ?? 0))
      doubled.push(`${billingNo} (${tender}): the books have ${row.outside}, the provider ${kept.get(billingNo) ?? 0}`);
  }
  const wanted = new Set(bought.map((one) => one.billingNo));
  for (const key of keys) if (!wanted.has(key)) doubled.push(`${key} has goods that nobody bought`);
  for (const key of known.keys()) if (!wanted.has(key)) doubled.push(`${key} is in the books, and nobody bought it`);
  const unblocks = bought.filter((one) => one.tender === 'replenish').length;
  if (unblockedBy.length !== unblocks) lost.push(`${unblockedBy.length} of ${unblocks} accounts are unblocked`);
  const invariants = await checkInvariants(shop.db);
  const breaches = invariants.filter((one) => one.breaches > 0).map((one) => `${one.invariant} (${one.breaches})`);
  return { lost, doubled, breaches };
}

async function readUnblocked(shop: ChaosShop): Promise<{ unblockedBy: string[] }> {
  const answer = await shop.simulators.request({ method: 'GET', path: '/control/game/blocks?game=starlane' });
  return (await answer.body.json()) as { unblockedBy: string[] };
}
