// Events: which are open for a visitor, what a player reached in them, and receiving their rewards.
import type { Activity, ActivityType } from '#contracts/events.ts';
import type { Environment } from '#kernel/environment.ts';
import type { Configuration } from '#server/modules/configuration/service.ts';
import type { GamesService } from '#server/modules/games/service.ts';
import { sealFacts } from '#server/modules/orders/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { Caller, PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { Log } from '#server/platform/log.ts';
import type { Repeat } from '#server/platform/repeat.ts';
import { createRewardLoop, type RewardLoop } from './hand-over.ts';
import { createReceiving, type ReceiveInput } from './receive.ts';
import { createEventViews, type PlaceInput } from './show.ts';

type Status = Pick<Activity, 'type' | 'activity_id' | 'name' | 'end_time' | 'is_over'> & { receivable: number };

export type EventsService = {
  info(caller: Caller, input: PlaceInput): Promise<Answer<{ type: ActivityType; list: Activity[] }>>;
  receive(caller: PlayerCaller, input: ReceiveInput): Promise<Answer<{ gift_ids: string[] }>>;
  status(caller: Caller, input: PlaceInput): Promise<Answer<{ list: Status[] }>>;
  readonly rewards: RewardLoop;
};

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
  const { games } = deps;
  const rewards = createRewardLoop({
    ...deps,
    gameServer: games.gameServer,
    sealFacts: (facts) => sealFacts(deps.environment, deps.keySecrets, facts),
  });

  const views = createEventViews(deps);
  const receive = createReceiving({ ...deps, views, onReceived: () => deps.isWorker && rewards.wake() });

  return {
    rewards,
    receive,
    info: async (caller, input) => {
      const type = input.type ?? 'cumulative';
      const place = views.placeOf(caller, { ...input, type });
      if ('refusal' in place) return place.refusal;
      if (place.open.length === 0) return refuse('noActivity');
      return succeed({ type, list: await views.show(caller, place) });
    },
    status: async (caller, input) => {
      const place = views.placeOf(caller, input);
      if ('refusal' in place) return place.refusal;
      if (input.type && place.open.length === 0) return refuse('noActivity');
      const shown = await views.show(caller, place);
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
