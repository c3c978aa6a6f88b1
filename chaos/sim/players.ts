// Acts for people: players who pay, double-click, poll, change their mind, come back late or never; banks and back
// offices that take money back; an operator who decides what no machine may decide. All of them by chance, none of them
// with patience.
import type { BillingInfo } from '#contracts/orders.ts';
import type { PayResult } from '#contracts/payments.ts';
import { BILLING_STATUS } from '#contracts/errors.ts';
import { cancelUnpaidOrder } from '#server/modules/orders/operator/operate-cancel.ts';
import { deliverOrder, refundOrder } from '#server/modules/orders/operator/operate.ts';
import type { Answer } from '#server/platform/http/answer.ts';
import { callerOf } from './shop-instance.ts';
import type { World } from './world.ts';

export type Player = Awaited<ReturnType<World['addPlayer']>>;

const CHANNELS = [
  { path: 'paypal_pay', channel_id: '' },
  { path: 'adyen_pay', channel_id: 'scheme' },
] as const;
/** Free, once a character, three in seven days, and few in stock. */
const PRODUCTS = ['star_50', 'star_50', 'star_pass', 'star_weekly', 'star_flagship'] as const;

export const sleep = (world: World, ms: number) =>
  new Promise<void>((resolve) => world.stepper.later(ms, 'sleep', resolve));

/** One player's evening: a few purchases, some at the same time. */
export function playAround(world: World, player: Player): void {
  const { random, stepper } = world;
  for (let count = random.between(1, 3); count > 0; count -= 1)
    stepper.later(
      random.between(0, world.profile().isRush ? 30 : 120_000),
      'purchase',
      () => void buy(world, player).catch(() => undefined),
    );
}

async function buy(world: World, player: Player): Promise<void> {
  const { random } = world;
  const product = random.pick(PRODUCTS);
  const first = random.pick(CHANNELS);
  const key = random.chance(0.6) ? random.uuid() : null;
  const taps = random.chance(0.25) ? 2 : 1;
  const answers = await Promise.all(
    Array.from({ length: taps }, () => payStubbornly(world, player, product, first, key)),
  );
  const pages = answers.flatMap((answer) => (answer?.url ? [answer.url] : []));
  if (random.chance(0.25)) {
    await sleep(world, random.between(500, 60_000));
    const second = await payStubbornly(
      world,
      player,
      product,
      random.pick(CHANNELS),
      random.chance(0.5) ? random.uuid() : null,
    );
    if (second?.url) pages.push(second.url);
  }
  const billingNo = answers.find((answer) => answer)?.billing_no;
  for (const page of new Set(pages)) void visitPage(world, player, page);
  if (billingNo) await poll(world, player, billingNo);
}

type Channel = (typeof CHANNELS)[number];

/** The pay call, repeated with the same key while no answer comes. */
async function payStubbornly(
  world: World,
  player: Player,
  product: string,
  channel: Channel,
  key: string | null,
): Promise<PayResult | null> {
  const { random } = world;
  for (let tries = 0; tries < 4; tries += 1) {
    const input = {
      client_id: '70021',
      server_id: 's1',
      role_id: 'r1',
      product_id: product,
      channel_id: channel.channel_id,
    };
    const answer = await askShop(world, (orders) => orders.pay(callerOf(player, key), channel.path, input));
    if (answer?.code === 'success' || answer?.code === 'repeatOrder') return answer.content;
    if (answer && answer.code !== 'requestRunning' && answer.code !== 'providerUnavailable') return null;
    await sleep(world, random.between(500, 15_000));
  }
  return null;
}

type Orders = NonNullable<World['shops'][number]>['orders'];

/** Null: no answer came, the player knows nothing. */
async function askShop<Content>(
  world: World,
  ask: (orders: Orders) => Promise<Answer<Content>>,
): Promise<Answer<Content> | null> {
  try {
    const answer = await world.onSomeInstance((shop) => ask(shop.orders));
    return world.random.chance(world.profile().answerLoss) ? null : answer;
  } catch {
    return null;
  }
}

function thinkingTime({ random, profile }: World): number {
  if (random.chance(0.15)) return random.between(600_000, 4 * 3_600_000);
  return profile().isRush ? random.between(0, 50) : random.between(2000, 120_000);
}

async function visitPage(world: World, player: Player, url: string): Promise<void> {
  const { random } = world;
  const reference = url.slice(url.lastIndexOf('/') + 1);
  const provider = world.providers.find((each) => each.payments.has(reference));
  if (!provider) return;
  if (random.chance(0.15)) return; // Never looks at it.
  await sleep(world, thinkingTime(world));
  if (random.chance(0.2)) {
    provider.pay(reference, 'is-declined');
    await sleep(world, random.between(3000, 60_000));
    if (random.chance(0.3)) return;
  }
  const how = random.chance(world.profile().paysWrongly)
    ? random.pick(['pays-less', 'pays-a-stranger'] as const)
    : random.chance(0.9)
      ? 'pays'
      : 'cancels';
  provider.pay(reference, how);
  await sleep(world, random.between(100, 4000));
  const back = {
    method: 'GET',
    path: '/return',
    topic: '',
    headers: {},
    query: {},
    body: Buffer.alloc(0),
    ip: '192.0.2.1',
  };
  const handleReturn = () =>
    world.onSomeInstance((shop) => shop.orders.handleReturn('watt', provider.name, reference, back));
  if (random.chance(0.6)) await handleReturn().catch(() => null);
  await poll(world, player, reference.slice(0, 26));
}

/** Watches an order. Success may only be shown when the goods are in the game. */
async function poll(world: World, player: Player, billingNo: string): Promise<void> {
  const { random, game, faults } = world;
  for (let count = random.between(0, 6); count > 0; count -= 1) {
    const answer = await askShop<BillingInfo>(world, (orders) =>
      orders.orderInfo(callerOf(player, null), {
        billing_no: billingNo,
        ...(random.chance(0.5) ? { simple: '1' } : {}),
      }),
    );
    if (answer?.content?.status === BILLING_STATUS.success && !game.applied.has(billingNo))
      faults.push(`the page says that ${billingNo} succeeded, and the game has nothing`);
    if (answer?.content && answer.content.status !== BILLING_STATUS.pending) return;
    await sleep(world, random.between(1000, 12_000));
  }
}

/** Banks and back offices: some payments are taken back, at any time. */
export function takeMoneyBack(world: World): void {
  const { random, stepper, providers } = world;
  for (let turn = 0; turn < 4; turn += 1) {
    stepper.later(random.between(30_000, 3 * 3_600_000), 'back office', () => {
      for (const provider of providers) {
        for (const payment of provider.payments.values()) {
          if (random.chance(world.profile().chargeback * 0.25)) provider.chargeBack(payment);
          else if (random.chance(world.profile().refundByHand * 0.25)) provider.refundByHand(payment);
        }
      }
    });
  }
}

type Case = { billing_no: string; state: string; delivered_at: Date | null };

/** An operator tries things, also on orders that need nothing: each act has to be right whatever the order is doing. */
export async function operate(world: World, found: Case): Promise<void> {
  const { random } = world;
  const { billing_no: billingNo } = found;
  const act = random.pick(['deliver', 'refund', 'cancel'] as const);
  world.stepper.note(`the operator: ${act} ${billingNo} (${found.state})`);
  const outcome = await world
    .onSomeInstance(async (shop) => {
      const operator = { db: shop.db, by: 'operator' };
      if (act === 'deliver') return deliverOrder(operator, billingNo);
      if (act === 'cancel') return cancelUnpaidOrder(operator, shop.settle, billingNo);
      return refundOrder(operator, billingNo, {
        attemptNo: null,
        reason: 'asked',
        isRevoking: random.chance(0.5),
        isDone: false,
      });
    })
    .catch(() => null);
  world.stepper.note(`the operator: ${act} ${billingNo} -> ${outcome?.outcome ?? 'no answer'}`);
}

/** The operator passes by now and then. */
export function passBy(world: World): void {
  const { random, stepper, client } = world;
  for (let turn = random.between(0, 3); turn > 0; turn -= 1) {
    stepper.later(random.between(1000, 2 * 3_600_000), 'operator', async () => {
      // The operator looks at a screen: read beside the simulation, while it stands still.
      const { rows } = await client.query<Case>(
        `select billing_no, state, delivered_at from orders order by billing_no`,
      );
      if (rows.length > 0) void operate(world, random.pick(rows));
    });
  }
}
