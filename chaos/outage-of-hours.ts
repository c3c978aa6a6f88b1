// Two hours without a database, in the simulation's own time, while every provider there is goes on telling: players
// pay, banks take money back, shops' back offices refund. Each sends again as long as its public documents say, and no
// longer. The end is the same as without the outage; without the record of callbacks it is not, or this proves nothing.
import type pg from 'pg';
import { createShopDatabase } from '#testing/database.ts';
import { paymentProviders } from '#testing/providers.ts';
import { buildChannel, channelsOfBrand } from '#server/modules/configuration/types/channel-types.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import { type ChaosTest, type Outcome, type Size, addOutcomes, FLAWLESS } from './kit/chaos-test.ts';
import { CALM } from './sim/profile.ts';
import { callerOf } from './sim/shop-instance.ts';
import { judge, readOrders } from './sim/verdict.ts';
import { BEGINNING, openVirtualTime } from './sim/virtual-time.ts';
import { createWorld, type ProviderKind, readShop, type World } from './sim/world.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OUTAGE = [BEGINNING + HOUR, BEGINNING + 3 * HOUR] as const;
/** Polls last seven days, refunds are asked about for a week. */
const REST = BEGINNING + 9 * 24 * HOUR;
/** Worlds of one order for each story of each provider. */
const WORLDS: Record<Size, number> = { short: 1, full: 10 };
/** Our choice: a process is killed some ten times a world, also while it writes its record. */
const CRASH = 0.002;
/** Of some five deaths a world few fall into the milliseconds between a callback's coming and its sync. */
const MAX_CUT_OFF: Record<Size, number> = { short: 1, full: 5 };

/** @source docs/providers/kakao.md, naver.md, welcome.md: "Callback: none" */
const SILENT: readonly string[] = ['kakao', 'naver', 'welcome'];
/** Waits between the repetitions of a provider that says only for how long: ever longer, as all of them. */
const WAITS_MS = [1, 2, 5, 10, 30, 60, 120, 240, ...Array.from({ length: 40 }, () => 240)].map(
  (minutes) => minutes * MINUTE,
);

const KINDS: readonly ProviderKind[] = paymentProviders.map(({ capture, name, repeatsCallbacksForSeconds }) => ({
  name,
  isCapturing: capture !== undefined,
  payableForSeconds: 6 * 3600,
  repeatsCallbacksForSeconds,
  resendsMs: SILENT.includes(name) ? null : resendsFor(repeatsCallbacksForSeconds ?? 0),
}));

/** Of a provider that nobody knows of it is taken that it never sends again. */
function resendsFor(seconds: number): number[] {
  let sum = 0;
  return WAITS_MS.filter((wait) => (sum += wait) <= seconds * 1000);
}

/** One of these befalls an order while the database is away; before it, all of them were placed. */
type Story = 'pays' | 'is refunded' | 'is charged back' | 'gives up';
const STORIES: readonly Story[] = ['pays', 'is refunded', 'is charged back', 'gives up'];
/** In short every provider has two of them, one in which money comes or goes among them. */
const HALF: readonly (readonly Story[])[] = [
  ['pays', 'is charged back'],
  ['is refunded', 'gives up'],
];

function storiesOf(size: Size, provider: string, index: number): readonly Story[] {
  // A provider without callbacks reports no money that goes back.
  if (SILENT.includes(provider)) return STORIES.filter((story) => !isBack(story));
  return size === 'full' ? STORIES : (HALF[index % 2] ?? STORIES);
}
const isBack = (story: Story) => story === 'is refunded' || story === 'is charged back';

export const outageOfHours: ChaosTest = {
  number: '21c',
  name: 'outage-of-hours',
  about: 'two hours without a database; callbacks of all providers wait on the disk',
  load: (size) => `${WORLDS[size]} x ${KINDS.length} providers`,
  run: async (size, context) => {
    const database = await createShopDatabase(await context.template());
    const client = await openVirtualTime(database.url);
    try {
      const configuration = sellEverywhere(await readShop(database.url));
      const outcomes: Outcome[] = [];
      let differsWithout = 0;
      let [kills, onDisk, cutOff] = [0, 0, 0];
      for (let seed = 1; seed <= WORLDS[size]; seed += 1) {
        const play = (over: { isAway: boolean; hasRecord: boolean }) =>
          playWorld(client, configuration, { seed, size, ...over });
        const calm = await play({ isAway: false, hasRecord: true });
        const kept = await play({ isAway: true, hasRecord: true });
        cutOff += kept.cutOff.length;
        const without = await play({ isAway: true, hasRecord: false });
        differsWithout += compare(calm.ends, without.ends).length;
        kills += countSteps(kept.trace, / is killed$/);
        onDisk += countSteps(kept.trace, /^\s*\S+ \S+ disk\.sync$/);
        outcomes.push(calm.outcome, kept.outcome, {
          ...FLAWLESS,
          faults: [...compare(calm.ends, kept.ends, kept.cutOff), ...kept.left].map((line) => `seed ${seed}: ${line}`),
        });
      }
      context.say(
        `      ${onDisk} times synced to the disk, ${kills} processes killed; without the record ` +
          `${differsWithout} orders end otherwise; ${cutOff} times a process died while it was told what that ` +
          `provider never says again`,
      );
      if (cutOff > MAX_CUT_OFF[size])
        outcomes.push({ ...FLAWLESS, faults: [`${cutOff} callbacks were cut off: more than so many deaths explain`] });
      if (differsWithout === 0)
        outcomes.push({ ...FLAWLESS, faults: ['the outage changes nothing: this proves nothing'] });
      return addOutcomes(outcomes);
    } finally {
      await client.end();
      await database.drop();
    }
  },
};

/** Every provider can be chosen in the brand "watt". */
function sellEverywhere(configuration: Configuration): Configuration {
  const card = configuration.channels.find(({ file }) => file.id === 'adyen-card');
  if (!card) throw new Error('there is no channel adyen-card');
  const channels = KINDS.map(({ name }, index) =>
    buildChannel({
      ...card.file,
      id: `sim-${name}`,
      provider: name,
      payPath: `${name}_sim`,
      payway: `9${100 + index}`,
    }),
  );
  const brands = new Map(
    [...configuration.brands].map(([key, brand]) => [
      key,
      { ...brand, channels: channelsOfBrand(key, { ...brand.file, channels: {} }, channels) },
    ]),
  );
  return { ...configuration, channels, brands };
}

/** How an order ended, by whose it was. */
type Ends = ReadonlyMap<string, string>;

/**
 * Whoever learns of money and of its way back at once gives no goods for it: as good an end as goods and no money. Of a
 * bank's word the goods wait for a person's (book_chargeback).
 */
const BEFORE_GOODS = /^(refunded \w*  0 0 0|review chargeback  0 0 \d+) /;
const isBackInTime = (whose: string, end = ''): boolean =>
  STORIES.some((story) => isBack(story) && whose.endsWith(story)) && BEFORE_GOODS.test(end);

/** @param excused whose end nobody can know: a process died before it could write down what it was told only once */
function compare(calm: Ends, other: Ends, excused: readonly string[] = []): string[] {
  return [...calm].flatMap(([whose, end]) =>
    other.get(whose) === end || excused.includes(whose) || isBackInTime(whose, other.get(whose))
      ? []
      : [`${whose}: ${other.get(whose)}, not ${end}`],
  );
}

async function playWorld(
  client: pg.Client,
  configuration: Configuration,
  { hasRecord, isAway, seed, size }: { seed: number; size: Size; isAway: boolean; hasRecord: boolean },
): Promise<{ ends: Ends; cutOff: string[]; outcome: Outcome; left: string[]; trace: readonly string[] }> {
  const profile = { ...CALM, crash: isAway ? CRASH : 0, callbackRepeat: 0.2 };
  const world = await createWorld({
    client,
    configuration,
    seed,
    profile,
    kinds: KINDS,
    hasRecord,
    ...(isAway ? { outage: OUTAGE } : {}),
  });
  const whose = new Map<string, string>();
  for (const [index, { name }] of KINDS.entries())
    for (const story of storiesOf(size, name, index)) {
      const player = await world.addPlayer(`${name} ${story}`);
      const placedAt = world.random.between(OUTAGE[0] - 20 * MINUTE, OUTAGE[0] - 5 * MINUTE);
      world.stepper.later(placedAt - BEGINNING, 'purchase', () => {
        void placeFor(world, player, name).then((reference) => {
          if (reference === null) return void world.faults.push(`${name}: no order could be placed`);
          whose.set(reference.slice(0, 26), `${name}, ${story}`);
          tell(world, name, story, reference);
        });
      });
    }
  await world.stepper.run(REST);
  const { states: _, ...verdict } = await judge(world);
  const cutOff = [...world.cutOff].map((dedupKey) => dedupKey.slice(0, 26));
  // The money is found by the provider's settlement report, which is no part of this world.
  const isExcused = (line: string) => cutOff.includes(line.slice(0, 26)) && line.includes(': the books say ');
  const outcome = { ...verdict, lost: verdict.lost.filter((line) => !isExcused(line)) };
  const rows = await readOrders(client);
  const ends = new Map(
    rows.map((row) => [
      whose.get(row.billing_no) ?? row.billing_no,
      `${row.state} ${row.review_reason ?? ''} ${row.delivered_at ? 'delivered' : ''} ${row.net} ${row.owed} ` +
        `${row.goods_owed} ${row.attempts.join(' ')} ${row.refunds.join(' ')}`,
    ]),
  );
  const left = world.filesOnDisk().map((name) => `${name} was left on the disk`);
  return { ends, cutOff: cutOff.map((no) => whose.get(no) ?? no), outcome, left, trace: world.stepper.trace };
}

const countSteps = (trace: readonly string[], step: RegExp) => trace.filter((line) => step.test(line)).length;

type Player = Awaited<ReturnType<World['addPlayer']>>;

/** The pay call, again while a process dies under it. */
async function placeFor(world: World, player: Player, provider: string): Promise<string | null> {
  const input = { client_id: '70021', server_id: 's1', role_id: 'r1', product_id: 'star_50', channel_id: 'scheme' };
  const key = world.random.uuid();
  for (let tries = 0; tries < 10; tries += 1) {
    const answer = await world
      .onSomeInstance((shop) => shop.orders.pay(callerOf(player, key), `${provider}_sim`, input))
      .catch(() => null);
    if (answer?.content) return answer.content.url.split('/').at(-1) ?? null;
    await new Promise<void>((resolve) => world.stepper.later(30_000, 'sleep', resolve));
  }
  return null;
}

function tell(world: World, name: string, story: Story, reference: string): void {
  const { random, stepper } = world;
  const provider = world.providers.find((one) => one.name === name);
  if (!provider) throw new Error(`there is no ${name}`);
  // A page is open for an hour, money goes back whenever it likes.
  const lastAt = isBack(story) ? OUTAGE[1] - MINUTE : OUTAGE[0] + 30 * MINUTE;
  const meanwhile = random.between(OUTAGE[0] + MINUTE, lastAt) - stepper.now();
  if (!isBack(story)) {
    stepper.later(meanwhile, story, () => void provider.pay(reference, story === 'pays' ? 'pays' : 'cancels'));
    return;
  }
  stepper.later(random.between(10_000, 120_000), 'pays', () => void provider.pay(reference, 'pays'));
  stepper.later(meanwhile, story, () => {
    const payment = provider.payments.get(reference);
    if (!payment) return;
    if (story === 'is refunded') provider.refundByHand(payment);
    else provider.chargeBack(payment);
  });
}
