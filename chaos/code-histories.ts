// Random lives of players who buy with promo codes and first-purchase bonuses: late payments, refunds, chargebacks.
// After each, uses, shares and bonuses equal what a plain recomputation of the story says.
import { money } from '#kernel/money.ts';
import type { BillingNo, PlayerId } from '#kernel/ids.ts';
import type { PromoTerms } from '#server/modules/codes/types.ts';
import { placeOrder } from '#server/modules/orders/store.ts';
import { type Db, openDb, query } from '#server/platform/database/db.ts';
import { createTestDatabase } from '#testing/database.ts';
import { deliver } from '#testing/events.ts';
import { addTestRoles, makePlayer, placeInput, promoOf, report } from '#testing/orders.ts';
import { type ChaosTest, FLAWLESS, type Size } from './kit/chaos-test.ts';
import { createRandom, type Random } from './sim/random.ts';

const HISTORIES: Record<Size, number> = { short: 25, full: 1000 };
const ACTS = 40;

type Order = {
  readonly player: PlayerId;
  readonly no: { billingNo: BillingNo; attemptNo: number };
  readonly code: PromoTerms | null;
  readonly product: string;
  readonly hasBonus: boolean;
  readonly dueMinor: number;
  state: 'open' | 'closed' | 'paid' | 'delivered' | 'refused' | 'gone';
  /** Its uses of code and bonus stand. */
  holds: boolean;
  backMinor: number;
};

const PRICES = [499, 999, 1250];
const PRODUCTS = ['p1', 'p2'];
const GIFTS = [{ id: 'g', name: 'Crystals', count: 60 }];

/** Codes of one history, so that histories do not meet. */
const codesOf = (seed: number): PromoTerms[] => [
  { code: `H${seed}-FEW`, rate: '0.9', total: 5, per_player: 3, creator: `c${seed}`, share_bp: 733 },
  { code: `H${seed}-FIRST`, off_minor: 100, per_player: 1, is_first: true },
  { code: `H${seed}-FAN`, creator: `c${seed}`, share_bp: 333 },
  { code: `H${seed}-LEAST`, rate: '0.5', min_spend_minor: 600, per_player: 2 },
];

const usesOf = (orders: readonly Order[], code: PromoTerms, player?: PlayerId) =>
  orders.filter((one) => one.holds && one.code === code && (player === undefined || one.player === player)).length;
const hasUse = (orders: readonly Order[], code: PromoTerms, player: PlayerId) =>
  usesOf(orders, code) < (code.total ?? Infinity) && usesOf(orders, code, player) < (code.per_player ?? Infinity);
const hasBonus = (orders: readonly Order[], player: PlayerId, product: string) =>
  !orders.some((one) => one.holds && one.hasBonus && one.player === player && one.product === product);

function dueOf(code: PromoTerms | null, price: number): number | null {
  if (!code) return price;
  const due = code.rate === undefined ? price - (code.off_minor ?? 0) : Math.floor(price * Number(code.rate) + 0.5);
  return due < 1 || price < (code.min_spend_minor ?? 0) ? null : due;
}

/** Another order was the first one, or may become it: its goods are or were to be had, or it waits with a code. */
const hasBought = (orders: readonly Order[], player: PlayerId, except?: Order): boolean =>
  orders.some(
    (one) =>
      one !== except &&
      one.player === player &&
      (one.state === 'delivered' ||
        one.state === 'paid' ||
        one.state === 'gone' ||
        (one.state === 'open' && one.code !== null)),
  );

/** The plain rule of each refusal, in words of its own. */
function isRefused(orders: readonly Order[], code: PromoTerms | null, player: PlayerId, price: number): boolean {
  if (!code) return false;
  if (code.is_first && hasBought(orders, player)) return true;
  return !hasUse(orders, code, player) || dueOf(code, price) === null;
}

async function liveOne(db: Db, seed: number): Promise<{ orders: number; faults: string[] }> {
  const random = createRandom(seed);
  const faults: string[] = [];
  const expectSame = (what: string, found: unknown, wanted: unknown) => {
    const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
    if (is !== should) faults.push(`history ${seed}: ${what} is ${is}, and should be ${should}`);
  };
  const codes = codesOf(seed);
  const players = [await makePlayer(db), await makePlayer(db), await makePlayer(db)];
  for (const player of players) await addTestRoles(db, player, ACTS);
  const orders: Order[] = [];
  for (let act = 0; act < ACTS; act += 1) await doOne({ db, random, codes, players, orders, expectSame, act });
  await compareEnd({ db, codes, players, orders, expectSame });
  return { orders: orders.length, faults };
}

type Story = {
  db: Db;
  random: Random;
  codes: PromoTerms[];
  players: PlayerId[];
  orders: Order[];
  expectSame: (what: string, found: unknown, wanted: unknown) => void;
  act: number;
};

async function doOne(story: Story): Promise<void> {
  const { db, random, orders, expectSame } = story;
  const pick = (...states: Order['state'][]): Order | undefined =>
    random.pick(orders.filter(({ state }) => states.includes(state)));
  const kind = random.between(0, 11);
  if (kind < 5 || orders.length === 0) return place(story);
  if (kind < 6) {
    const order = pick('open');
    if (!order) return;
    await report(db, order.no, { status: random.chance(0.5) ? 'failed' : 'expired' });
    Object.assign(order, { state: 'closed', holds: false });
  } else if (kind < 9) {
    const order = pick('open', 'closed');
    if (!order) return;
    const isHad =
      order.state === 'open' ||
      ((order.code === null || hasUse(orders, order.code, order.player)) &&
        !(order.code?.is_first && hasBought(orders, order.player, order)) &&
        (!order.hasBonus || hasBonus(orders, order.player, order.product)));
    const answer = await report(db, order.no, { amount: money(order.dueMinor, 'USD') });
    const wanted = order.state === 'open' ? 'paid' : isHad ? 'late_paid' : 'late_refused';
    expectSame(`payment of ${order.no.billingNo}`, answer.outcome, wanted);
    Object.assign(order, { state: isHad ? 'paid' : 'refused', holds: isHad });
  } else if (kind < 10) {
    const order = pick('paid');
    if (!order) return;
    await deliver(db, { playerId: order.player, ...order.no, amount: money(order.dueMinor, 'USD') });
    order.state = 'delivered';
  } else await reverseOrder(story, pick('paid', 'delivered'));
}

async function place({ db, random, codes, players, orders, expectSame, act }: Story): Promise<void> {
  const player = random.pick(players);
  const code = random.chance(1 / 5) ? null : random.pick(codes);
  const product = random.pick(PRODUCTS);
  const price = random.pick(PRICES);
  const getsBonus = hasBonus(orders, player, product);
  const refused = isRefused(orders, code, player, price);
  const first_bonus = { season: 'ever', gifts: GIFTS, is_told: false };
  // A character of its own each time: an unpaid order of the same one would be found again.
  const input = placeInput(player, {
    product_id: product,
    role_id: `role-${act}`,
    amount_minor: price,
    promo: code && promoOf(code),
    first_bonus,
  });
  const placed = await placeOrder(db, input);
  const due = dueOf(code, price);
  expectSame(`order with ${code?.code ?? 'no code'}`, placed.outcome, refused ? 'promo_refused' : 'placed');
  if (placed.outcome !== 'placed') return;
  expectSame('what is to pay', placed.amount_minor, due);
  orders.push({
    player,
    no: { billingNo: placed.billing_no, attemptNo: placed.attempt_no },
    code,
    product,
    hasBonus: getsBonus,
    dueMinor: placed.amount_minor,
    state: 'open',
    holds: true,
    backMinor: 0,
  });
}

async function reverseOrder({ db, random }: Story, order: Order | undefined): Promise<void> {
  if (!order || order.backMinor >= order.dueMinor) return;
  const isDelivered = order.state === 'delivered';
  const part = random.between(1, order.dueMinor - order.backMinor);
  if (isDelivered && part < order.dueMinor && random.chance(0.5)) {
    await report(db, order.no, { status: 'refunded', amount: money(part, 'USD') });
    order.backMinor += part;
    return;
  }
  const status = isDelivered && random.chance(0.5) ? 'chargeback' : 'refunded';
  await report(db, order.no, { status, amount: money(order.dueMinor, 'USD') });
  order.backMinor = order.dueMinor;
  if (isDelivered) order.state = 'gone';
  else Object.assign(order, { state: 'refused', holds: false });
}

async function compareEnd({ db, codes, players, orders, expectSame }: Omit<Story, 'random' | 'act'>): Promise<void> {
  const names = codes.map(({ code }) => code);
  const used = await query<{ code: string; used: number }>(
    db,
    'codes_used',
    'select code, used from promo_code where code = any($1) order by code',
    [names],
  );
  const known = new Map(used.map((row) => [row.code, row.used]));
  for (const code of codes) expectSame(`uses of ${code.code}`, known.get(code.code) ?? 0, usesOf(orders, code));
  const creator = codes[0]?.creator ?? '';
  const [share] = await query<{ sum: number }>(
    db,
    'codes_share',
    'select coalesce(sum(amount_minor), 0)::integer as sum from creator_entry where creator = $1',
    [creator],
  );
  expectSame(
    'share',
    share?.sum,
    orders.reduce((sum, order) => sum + shareOf(order), 0),
  );
  const bonuses = await query<{ billing_no: string }>(
    db,
    'codes_bonuses',
    `select billing_no from orders where player_id = any($1::uuid[]) and product @? '$.gifts[*] ? (@.isFirst == true)'
      order by billing_no`,
    [players],
  );
  const wanted = orders.filter((order) => order.hasBonus).map(({ no }) => no.billingNo as string);
  expectSame(
    'orders with a bonus',
    bonuses.map((row) => row.billing_no),
    wanted.toSorted(),
  );
}

/** Basis points of what was to pay, then the part of it that stayed; both rounded down. */
function shareOf({ code, state, dueMinor, backMinor }: Order): number {
  if (!code?.share_bp || (state !== 'delivered' && state !== 'gone')) return 0;
  const whole = Math.floor((dueMinor * code.share_bp) / 10_000);
  return Math.floor((whole * (dueMinor - backMinor)) / dueMinor);
}

export const codeHistories: ChaosTest = {
  number: '10f',
  name: 'codes',
  about: 'random lives with promo codes, creators and first-purchase bonuses, recomputed from the orders',
  load: (size) => `${HISTORIES[size]} histories of ${ACTS} acts`,
  run: async (size, context) => {
    const database = await createTestDatabase(await context.template());
    const db = openDb(database.url, { max: 8, onError: () => undefined });
    const seeds = Array.from({ length: HISTORIES[size] }, (_, n) => n + Number(context.options['seed'] ?? 1));
    const faults: string[] = [];
    let orders = 0;
    try {
      while (seeds.length > 0 && faults.length === 0)
        for (const answer of await Promise.all(seeds.splice(0, 8).map((seed) => liveOne(db, seed)))) {
          orders += answer.orders;
          faults.push(...answer.faults);
        }
      const broken = await query(db, 'codes_breaches', 'select * from invariant_breach where breaches > 0');
      faults.push(...broken.map((row) => JSON.stringify(row)));
      return { ...FLAWLESS, orders, faults };
    } finally {
      await db.end();
      await database.drop();
    }
  },
};
