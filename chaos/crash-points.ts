// Dying at every awaited step. Each story is played once as it should go and its steps are written down; then
// it is played again and again,
// and each time the process is killed, or its connection broken, before or after another one of them. What
// must come of it is always the same: the goods are there, or nothing was paid, or it went back. Nothing is ever paid
// and forgotten.
import type pg from 'pg';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { PayResult } from '#contracts/payments.ts';
import { createShopDatabase } from '#testing/database.ts';
import { refundOrder } from '#server/modules/orders/operator/operate.ts';
import { type ChaosTest, type Outcome, type Size, addOutcomes, isFlawless } from './kit/chaos-test.ts';
import { sharingOf } from './kit/sharing.ts';
import { sleep } from './sim/players.ts';
import { CALM, type Profile } from './sim/profile.ts';
import { callerOf } from './sim/shop-instance.ts';
import type { FaultDecision, StepKind } from './sim/stepper.ts';
import { judge, readOrders } from './sim/verdict.ts';
import { BEGINNING, openVirtualTime } from './sim/virtual-time.ts';
import { type World, createWorld, readShop } from './sim/world.ts';

const HOUR = 3_600_000;

type Story = {
  readonly name: string;
  readonly profile?: Partial<Profile>;
  tell(world: World): Promise<void>;
  /** Lists the states in which the order may end; the first one is where it ends when nothing goes wrong. */
  readonly ends: readonly string[];
  /** Steps of its orders meet: it is told with shared transactions and without. */
  readonly isMeeting?: boolean;
};

type Channel = 'paypal' | 'adyen';

/** Pays until an answer comes, as the page does: the same key, again and again. */
async function pay(
  world: World,
  player: Awaited<ReturnType<World['addPlayer']>>,
  channel: Channel,
  key: string,
): Promise<PayResult | null> {
  const input = {
    client_id: '70021',
    server_id: 's1',
    role_id: 'r1',
    product_id: 'star_pass',
    channel_id: channel === 'adyen' ? 'scheme' : '',
  };
  for (let tries = 0; tries < 12; tries += 1) {
    const answer = await world
      .onSomeInstance((shop) => shop.orders.pay(callerOf(player, key), `${channel}_pay`, input))
      .catch(() => null);
    if (answer?.content) return answer.content;
    await sleep(world, 4000);
  }
  return null;
}

/** The player on the provider's page: only one who was shown it can be there. */
async function payOnPage(world: World, shown: PayResult | null): Promise<void> {
  await sleep(world, 5000);
  const reference = shown?.url.slice(shown.url.lastIndexOf('/') + 1);
  if (reference) for (const provider of world.providers) provider.pay(reference, 'pays');
}

const UNPAID = ['expired', 'failed', 'cancelled'];

const STORIES: readonly Story[] = [
  {
    name: 'paid by callback',
    ends: ['delivered', ...UNPAID],
    tell: async (world) => payOnPage(world, await pay(world, await world.addPlayer('p'), 'adyen', 'key')),
  },
  {
    name: 'approved, then captured',
    ends: ['delivered', ...UNPAID],
    tell: async (world) => payOnPage(world, await pay(world, await world.addPlayer('p'), 'paypal', 'key')),
  },
  {
    name: 'five at once, their steps together',
    ends: ['delivered', ...UNPAID],
    profile: { isRush: true },
    isMeeting: true,
    tell: async (world) => {
      const players = [];
      for (const name of ['p', 'q', 'r', 's', 't']) players.push(await world.addPlayer(name));
      const shown = await Promise.all(players.map((player, number) => pay(world, player, 'adyen', `key-${number}`)));
      await Promise.all(shown.map((page) => payOnPage(world, page)));
    },
  },
  {
    name: 'no callback: found by asking',
    ends: ['delivered', ...UNPAID],
    profile: { callbackLoss: 1 },
    tell: async (world) => {
      const player = await world.addPlayer('p');
      const shown = await pay(world, player, 'paypal', 'key');
      await payOnPage(world, shown);
      if (shown)
        await world
          .onSomeInstance((shop) => shop.orders.orderInfo(callerOf(player, null), { billing_no: shown.billing_no }))
          .catch(() => null);
    },
  },
  {
    name: 'paid in two ways: one goes back',
    ends: ['delivered', ...UNPAID],
    tell: async (world) => {
      const player = await world.addPlayer('p');
      const first = await pay(world, player, 'adyen', 'first');
      const second = await pay(world, player, 'paypal', 'second');
      await Promise.all([payOnPage(world, first), payOnPage(world, second)]);
    },
  },
  {
    name: 'never paid: what it held is free again',
    ends: ['expired', 'failed', 'cancelled'],
    tell: async (world) => {
      await pay(world, await world.addPlayer('p'), 'adyen', 'key');
    },
  },
  {
    name: 'refused by the game, given back by a person',
    ends: ['refunded', ...UNPAID],
    profile: { game: { ...CALM.game, declinesGrants: 1 } },
    tell: async (world) => {
      const player = await world.addPlayer('p');
      const shown = await pay(world, player, 'adyen', 'key');
      await payOnPage(world, shown);
      // A person comes back to it until it is done.
      for (let tries = 0; shown && tries < 12; tries += 1) {
        await sleep(world, 600_000);
        const input = { attemptNo: null, reason: 'the character is gone', isRevoking: false, isDone: false };
        await world
          .onSomeInstance((shop) => refundOrder({ db: shop.db, by: 'anna' }, shown.billing_no, input))
          .catch(() => null);
      }
    },
  },
];

type Cut = { at: number; fault: FaultDecision };

async function play(lane: Lane, story: Story, seed: number, isSharing: boolean, cut: Cut | null) {
  const steps: StepKind[] = [];
  let isOver = false;
  const world = await createWorld({
    ...lane,
    seed,
    instances: 1,
    isSharing,
    profile: { ...CALM, ...story.profile },
    decideFault: ({ kind }) => {
      if (!isOver) steps.push(kind);
      return cut && steps.length - 1 === cut.at && !isOver ? cut.fault : 'goes-well';
    },
  });
  void story.tell(world).catch((error: Error) => world.faults.push(`the story broke: ${error.message}`));
  await world.stepper.run(BEGINNING + 10 * HOUR);
  isOver = true;
  const verdict = await judge(world);
  const states = (await readOrders(lane.client)).map((order) => order.state);
  for (const state of states) if (!story.ends.includes(state)) verdict.faults.push(`the order ended as ${state}`);
  if (!cut && (states.length === 0 || states.some((state) => state !== story.ends[0])))
    verdict.faults.push(`without a fault it ends as ${states.join(', ') || 'no order'}, not ${story.ends[0]}`);
  const hasShared = world.stepper.trace.some((line) => line.includes('run_steps'));
  if (!cut && story.isMeeting && hasShared !== isSharing)
    verdict.faults.push(`transactions were ${hasShared ? 'shared' : 'not shared'}, against what was asked for`);
  return { verdict, steps, trace: world.stepper.trace };
}

type Lane = { client: pg.Client; configuration: Configuration };

function cutsOf(steps: readonly StepKind[], size: Size): Cut[] {
  const all = steps.flatMap((kind, at): Cut[] => [
    { at, fault: 'die-before' },
    { at, fault: 'die-after' },
    ...(kind === 'db' ? [{ at, fault: 'fail-before' } as const, { at, fault: 'fail-after' } as const] : []),
  ]);
  // A prime stride: every kind of cut and every stretch of the story gets its turn.
  return size === 'full' ? all : all.filter((_cut, index) => index % 23 === 0);
}

/**
 * Three runs of a story in full; one whose steps meet has shared transactions in one half of
 * its runs and none in the other.
 */
function runsOf({ isMeeting }: Story, size: Size, forced: boolean | undefined) {
  const ways = forced === undefined ? (isMeeting ? [true, false] : [true]) : [forced];
  const seeds = size === 'full' ? [1, 2, 3] : [1];
  return ways.flatMap((isSharing) => seeds.map((seed) => ({ seed, isSharing })));
}

export const crashPoints: ChaosTest = {
  number: '3',
  name: 'crash-points',
  about: 'dying at every awaited step of pay, callback, settle, deliver, refund and sweep',
  load: (size) =>
    size === 'full' ? `every step of ${STORIES.length} stories x 3` : `every 23rd cut of ${STORIES.length} stories`,
  run: async (size, context) => {
    const database = await createShopDatabase(await context.template());
    const lane: Lane = { client: await openVirtualTime(database.url), configuration: await readShop(database.url) };
    const outcomes: Outcome[] = [];
    try {
      for (const story of STORIES) {
        let cuts = 0;
        for (const { seed, isSharing } of runsOf(story, size, sharingOf(context))) {
          const whole = await play(lane, story, seed, isSharing, null);
          const keep = ({ verdict, trace }: Awaited<ReturnType<typeof play>>, cut: Cut | null) => {
            const way = `run ${seed}, sharing ${isSharing ? 'on' : 'off'}`;
            const mark = (line: string) =>
              `${story.name}, ${way}, ${cut ? `${cut.fault} at step ${cut.at}` : 'no fault'}: ${line}`;
            const { orders, lost, doubled, breaches, faults } = verdict;
            const outcome = {
              orders,
              lost: lost.map(mark),
              doubled: doubled.map(mark),
              breaches: breaches.map(mark),
              faults: faults.map(mark),
            };
            if (!isFlawless(outcome)) context.say([mark('what happened'), ...trace].join('\n'));
            outcomes.push(outcome);
          };
          keep(whole, null);
          for (const cut of cutsOf(whole.steps, size)) {
            cuts += 1;
            keep(await play(lane, story, seed, isSharing, cut), cut);
          }
        }
        if (size === 'full') context.say(`      ${story.name}: ${cuts} deaths and broken connections`);
        // Every play leaves its dead rows behind, and nobody has cleaned up meanwhile.
        await lane.client.query('vacuum');
      }
    } finally {
      await lane.client.end();
      await database.drop();
    }
    return addOutcomes(outcomes);
  },
};
