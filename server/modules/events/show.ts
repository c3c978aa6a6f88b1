// Which events are open for a visitor, and what a player reached in them.
import type { Activity, ActivityType } from '#contracts/events.ts';
import type { PlayerId } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import {
  type Brand,
  type Configuration,
  countingZone,
  type Display,
  displayFor,
  type Game,
  isSeenBy,
  windowsAt,
} from '#server/modules/configuration/service.ts';
import { brandOf, gameForCaller } from '#server/modules/games/service.ts';
import { currencyOfMarket, marketOf } from '#server/modules/pricing/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { Caller } from '#server/platform/http/http.ts';
import { type Answer, refuse } from '#server/platform/http/answer.ts';
import { daysOfCycle, runOfDaily, toDailyActivity } from './daily.ts';
import { issueKeyOf, type KnownReward, type OpenEvent, toActivity, typeOf, windowOf } from './present.ts';
import { listRewardsOf, readDailyStanding, readPaidDays } from './store.ts';

export type PlaceInput = { client_id: string; domain_area?: string; country?: string; type?: ActivityType };

export type Place = { brand: Brand; game: Game; currency: Currency; open: OpenEvent[] };

export type EventViews = {
  /** Brand, game and open events of a request, or the code that says which is wrong. */
  placeOf(caller: Caller, input: PlaceInput): Place | { refusal: Answer<never> };
  show(caller: Caller, place: Place): Promise<Activity[]>;
};

export function createEventViews(deps: { db: Db; configuration: () => Configuration; now: () => number }): EventViews {
  const { db, configuration, now } = deps;

  function placeOf(caller: Caller, input: PlaceInput): Place | { refusal: Answer<never> } {
    const brand = brandOf(configuration(), caller);
    const game = gameForCaller(configuration(), caller, input.client_id);
    if (!game) return { refusal: refuse('noGame') };
    const market = marketOf(brand, input.domain_area, input.country, input.client_id);
    if (!market) return { refusal: refuse('wrongDomain') };
    const viewer = { brandKey: brand.key, region: market.region, isBeta: caller.site.betaId !== undefined };
    const open = game.events
      .filter((event) => isSeenBy(event, viewer) && (!input.type || typeOf(event) === input.type))
      .flatMap((event) => windowsAt(event, countingZone(brand, game), now()).map((window) => ({ event, window })));
    return { brand, game, currency: currencyOfMarket(market), open };
  }

  async function show(caller: Caller, { brand, game, currency, open }: Place): Promise<Activity[]> {
    const timeZone = countingZone(brand, game);
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

  return { placeOf, show };
}
