// Receiving rewards: what may be received is looked at again, the game is asked, and the database decides.
import { isWithinBound } from '#kernel/bound.ts';
import type { PlayerId } from '#kernel/ids.ts';
import { type Brand, countingZone, type EventStep, type Game } from '#server/modules/configuration/service.ts';
import { type GamesService, refuseDeclined } from '#server/modules/games/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { ulid } from 'ulid';
import { placeToday, runOfDaily, toDailyReward } from './daily.ts';
import { issueKeyOf, type OpenEvent, toNewReward } from './present.ts';
import type { EventViews, PlaceInput } from './show.ts';
import { readDailyStanding, receiveDaily, type ReceiveOutcome, type Receiver, receiveRewards } from './store.ts';

export type ReceiveInput = PlaceInput & {
  activity_id: string;
  gift_id: string;
  server_id: string;
  role_id: string;
  areaId?: string;
};

/** The step that stands for all of them. @source specification section 4: "receive, receive all" */
const ALL = 'all';

/** Our choice: one press of "all" may ask a game about forty steps. */
const CHECKS_AT_ONCE = 8;

export function createReceiving(deps: {
  db: Db;
  games: GamesService;
  views: EventViews;
  now: () => number;
  /** Called when rewards wait to be handed over. */
  onReceived: () => void;
}) {
  const { db, games, now, onReceived, views } = deps;

  async function receive(caller: PlayerCaller, input: ReceiveInput): Promise<Answer<{ gift_ids: string[] }>> {
    const place = views.placeOf(caller, input);
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
    const [activity] = await views.show(caller, { ...place, open: [open] });
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
    onReceived();
    return succeed({ gift_ids: received.map(({ id }) => id) });
  }

  type Prepared = { write: () => Promise<ReceiveOutcome[] | null>; keyOf: (step: EventStep) => string };
  type Preparing = { brand: Brand; game: Game; open: OpenEvent; receiver: Receiver };
  const newNumber = () => `RW-${ulid(now())}`;

  function prepareSteps(playerId: PlayerId, given: Preparing & { steps: readonly EventStep[] }): Prepared {
    const { game, open, receiver } = given;
    const timeZone = countingZone(given.brand, game);
    const fresh = given.steps.map((step) => toNewReward(game, open, step, { timeZone, rewardNo: newNumber() }));
    const keyOf = (step: EventStep) => issueKeyOf(game, open, step);
    return { write: () => receiveRewards(db, playerId, receiver, fresh), keyOf };
  }

  /** The database looks again whether it is still this day and this streak. */
  async function prepareDaily(playerId: PlayerId, given: Preparing & { step: EventStep }): Promise<Prepared> {
    const { game, open, receiver } = given;
    const timeZone = countingZone(given.brand, game);
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

  return receive;
}
