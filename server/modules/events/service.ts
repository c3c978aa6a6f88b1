// Events: which are open for a visitor, what a player reached in them, and receiving their rewards.
import type { Activity, ActivityType } from '#contracts/events.ts';
import { isWithinBound } from '#kernel/bound.ts';
import type { Environment } from '#kernel/environment.ts';
import type { PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import {
  type Brand,
  type Configuration,
  type Display,
  displayFor,
  type EventStep,
  type Game,
  isSeenBy,
  windowsAt,
} from '#server/modules/configuration/service.ts';
import { brandOf, gameForCaller, type GamesService, refuseDeclined } from '#server/modules/games/service.ts';
import { currencyOfMarket, marketOf } from '#server/modules/pricing/service.ts';
import { sealFacts } from '#server/modules/orders/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { Log } from '#server/platform/log.ts';
import type { Repeat } from '#server/platform/repeat.ts';
import { ulid } from 'ulid';
import { daysOfCycle, placeToday, runOfDaily, toDailyActivity, toDailyReward } from './daily.ts';
import { createRewardLoop, type RewardLoop } from './hand-over.ts';
import { issueKeyOf, type KnownReward, type OpenEvent, toActivity, toNewReward, typeOf, windowOf } from './present.ts';
import {
  listRewardsOf,
  readDailyStanding,
  readPaidDays,
  receiveDaily,
  type ReceiveOutcome,
  type Receiver,
  receiveRewards,
} from './store.ts';

type PlaceInput = { client_id: string; domain_area?: string; country?: string; type?: ActivityType };
type ReceiveInput = PlaceInput & {
  activity_id: string;
  gift_id: string;
  server_id: string;
  role_id: string;
  areaId?: string;
};
type Status = Pick<Activity, 'type' | 'activity_id' | 'name' | 'end_time' | 'is_over'> & { receivable: number };

export type EventsService = {
  info(caller: Caller, input: PlaceInput): Promise<Answer<{ type: ActivityType; list: Activity[] }>>;
  receive(caller: PlayerCaller, input: ReceiveInput): Promise<Answer<{ gift_ids: string[] }>>;
  status(caller: Caller, input: PlaceInput): Promise<Answer<{ list: Status[] }>>;
  readonly rewards: RewardLoop;
};

/** The step that stands for all of them. @source specification section 4: "receive, receive all" */
const ALL = 'all';

type Place = { brand: Brand; game: Game; currency: Currency; open: OpenEvent[] };

/** Our choice: one press of "all" may ask a game about forty steps. */
const CHECKS_AT_ONCE = 8;

export function createEventsService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  games: GamesService;
  environment: Environment;
  /** These secrets seal the texts that games keep for a recovery; empty: no texts are made. */
  keySecrets: readonly string[];
  now: () => number;
  /** This process hands rewards over; others find them by their polls. */
  isWorker: boolean;
  repeat?: Repeat;
  random?: () => number;
}): EventsService {
  const { db, configuration, games, now } = deps;
  const rewards = createRewardLoop({
    ...deps,
    gameServer: games.gameServer,
    sealFacts: (facts) => sealFacts(deps.keySecrets, facts),
  });

  /** Brand, game and open events of a request, or the code that says which is wrong. */
  function placeOf(caller: Caller, input: PlaceInput): Place | { refusal: Answer<never> } {
    const brand = brandOf(configuration(), caller);
    const game = gameForCaller(configuration(), caller, input.client_id);
    if (!game) return { refusal: refuse('noGame') };
    const market = marketOf(brand, input.domain_area, input.country, input.client_id);
    if (!market) return { refusal: refuse('wrongDomain') };
    const viewer = { brandKey: brand.key, region: market.region, isBeta: caller.site.betaId !== undefined };
    const open = game.events
      .filter((event) => isSeenBy(event, viewer) && (!input.type || typeOf(event) === input.type))
      .flatMap((event) => windowsAt(event, brand.file.timeZone, now()).map((window) => ({ event, window })));
    return { brand, game, currency: currencyOfMarket(market), open };
  }

  async function show(caller: Caller, { brand, game, currency, open }: Place): Promise<Activity[]> {
    const { timeZone } = brand.file;
    const { session } = caller;
    const display = displayFor(brand, caller.language);
    const daily = (one: OpenEvent) => showDaily(session?.playerId ?? null, game, one, { timeZone, display });
    const known: KnownReward[] = session
      ? await listRewardsOf(
          db,
          session.playerId,
          open.flatMap((one) => one.event.steps.map((step) => issueKeyOf(game, one, step))),
        )
      : [];
    const shown = await Promise.all(
      open.map(async (one) => {
        if (one.event.file.kind === 'daily') return daily(one);
        const owner = session && { playerId: session.playerId, brandKey: brand.key, gameId: game.id };
        const paid = owner ? await readPaidDays(db, owner, windowOf(one, timeZone)) : [];
        return toActivity(game, one, { display, timeZone, currency, now: now(), paid, rewards: known });
      }),
    );
    // A run that is over stays for what can still be received of it.
    return shown.filter((one) => !one.is_over || one.gifts.some(({ state }) => state !== 'locked'));
  }

  async function showDaily(
    playerId: PlayerId | null,
    game: Game,
    open: OpenEvent,
    { timeZone, display }: { timeZone: string; display: Display },
  ): Promise<Activity> {
    const run = runOfDaily(game, open);
    const standing = playerId && (await readDailyStanding(db, playerId, run, timeZone));
    const keys = standing ? daysOfCycle(standing, open.event.steps.length).map((day) => `${run}${day}`) : [];
    const known = playerId ? await listRewardsOf(db, playerId, keys) : [];
    return toDailyActivity(game, open, { display, timeZone, standing, rewards: known });
  }

  async function receive(caller: PlayerCaller, input: ReceiveInput): Promise<Answer<{ gift_ids: string[] }>> {
    const place = placeOf(caller, input);
    if ('refusal' in place) return place.refusal;
    const { brand, game } = place;
    const { session } = caller;
    const open = place.open.find(({ window }) => window.key === input.activity_id);
    if (!open) return refuse('noActivity');
    const to = {
      client_id: input.client_id,
      server_id: input.server_id,
      area_id: input.areaId ?? '',
      role_id: input.role_id,
    };
    if (!isWithinBound(session.bound, to)) return refuse('roleNotFound');
    const [activity] = await show(caller, { ...place, open: [open] });
    const wanted = open.event.steps.filter((step) => {
      const state = activity?.gifts.find((gift) => gift.gift_id === step.id)?.state;
      return input.gift_id === ALL ? state === 'receivable' : step.id === input.gift_id && state !== 'locked';
    });
    const missing = wanted.filter(
      (step) => activity?.gifts.find((gift) => gift.gift_id === step.id)?.state !== 'received',
    );
    // A second tap is no failure.
    if (wanted.length > 0 && missing.length === 0) return succeed({ gift_ids: wanted.map(({ id }) => id) });
    if (missing.length === 0) return refuse('receiveFailed');
    const asked = await askGame(caller, game, to, missing);
    if ('refusal' in asked) return asked.refusal;
    const receiver = { brand_key: brand.key, game_id: game.id, ...to, suid: session.suid };
    const { write, keyOf } =
      open.event.file.kind === 'daily'
        ? await prepareDaily(session.playerId, { brand, game, open, receiver, step: asked.willing[0] as EventStep })
        : prepareSteps(session.playerId, { brand, game, open, receiver, steps: asked.willing });
    let outcomes = await write();
    if (!outcomes) {
      // Not a character of this player, or one that the game has not shown us lately.
      await games.refreshRoles({ game, clientId: input.client_id, playerId: session.playerId, suid: session.suid });
      outcomes = await write();
    }
    if (!outcomes) return refuse('roleNotFound');
    const had = new Set(outcomes.filter(({ outcome }) => outcome !== 'locked').map((one) => one.issue_key));
    const received = asked.willing.filter((step) => had.has(keyOf(step)));
    if (received.length === 0) return refuse('receiveFailed');
    if (deps.isWorker) rewards.wake();
    return succeed({ gift_ids: received.map(({ id }) => id) });
  }

  type Prepared = { write: () => Promise<ReceiveOutcome[] | null>; keyOf: (step: EventStep) => string };
  type Preparing = { brand: Brand; game: Game; open: OpenEvent; receiver: Receiver };
  const newNumber = () => `RW-${ulid(now())}`;

  function prepareSteps(playerId: PlayerId, given: Preparing & { steps: readonly EventStep[] }): Prepared {
    const { game, open, receiver } = given;
    const { timeZone } = given.brand.file;
    const fresh = given.steps.map((step) => toNewReward(game, open, step, { timeZone, rewardNo: newNumber() }));
    const keyOf = (step: EventStep) => issueKeyOf(game, open, step);
    return { write: () => receiveRewards(db, playerId, receiver, fresh), keyOf };
  }

  /** The database looks again whether it is still this day and this streak. */
  async function prepareDaily(playerId: PlayerId, given: Preparing & { step: EventStep }): Promise<Prepared> {
    const { game, open, receiver } = given;
    const { timeZone } = given.brand.file;
    const run = runOfDaily(game, open);
    const standing = await readDailyStanding(db, playerId, run, timeZone);
    const fresh = toDailyReward(game, open, given.step, { standing, timeZone, rewardNo: newNumber() });
    const { steps } = open.event;
    // Midnight may have passed since the page was drawn, and a streak with it.
    const isToday = steps[placeToday(standing, steps.length)] === given.step;
    const write = () => receiveDaily(db, playerId, receiver, run, fresh);
    return { write: isToday ? write : () => Promise.resolve([]), keyOf: () => fresh.issue_key };
  }

  /** The game says yes before a reward is spent on a character: one of them is enough to go on. */
  async function askGame(
    { session }: PlayerCaller,
    game: Game,
    to: { client_id: string; server_id: string; area_id: string; role_id: string },
    steps: readonly EventStep[],
  ): Promise<{ willing: EventStep[] } | { refusal: Answer<never> }> {
    const recipient = {
      clientId: to.client_id,
      userId: session.suid,
      serverId: to.server_id,
      areaId: to.area_id,
      roleId: to.role_id,
    };
    const answers: Awaited<ReturnType<typeof games.checkGrant>>[] = [];
    for (let from = 0; from < steps.length; from += CHECKS_AT_ONCE) {
      const some = steps.slice(from, from + CHECKS_AT_ONCE);
      answers.push(...(await Promise.all(some.map((step) => games.checkGrant(game.id, recipient, step.id)))));
    }
    const willing = steps.filter((_, index) => {
      const kind = answers[index]?.kind;
      return kind === 'ok' || (kind === 'unknown' && game.file.check === 'when_reachable');
    });
    if (willing.length > 0) return { willing };
    const declined = answers.find((answer) => answer.kind === 'declined');
    return { refusal: declined ? refuseDeclined(declined.reason) : refuse('gameUnavailable') };
  }

  return {
    rewards,
    receive,
    info: async (caller, input) => {
      const type = input.type ?? 'cumulative';
      const place = placeOf(caller, { ...input, type });
      if ('refusal' in place) return place.refusal;
      if (place.open.length === 0) return refuse('noActivity');
      return succeed({ type, list: await show(caller, place) });
    },
    status: async (caller, input) => {
      const place = placeOf(caller, input);
      if ('refusal' in place) return place.refusal;
      if (input.type && place.open.length === 0) return refuse('noActivity');
      const shown = await show(caller, place);
      return succeed({
        list: shown.map(({ type, activity_id, name, end_time, is_over, gifts }) => ({
          type,
          activity_id,
          name,
          end_time,
          is_over,
          receivable: gifts.filter(({ state }) => state === 'receivable').length,
        })),
      });
    },
  };
}
