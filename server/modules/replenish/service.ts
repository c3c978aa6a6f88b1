// Make-up payments: who may see which, where it can be paid, opening one, and the alarm when unblocking takes too long.
// Selling one is placing an order.
import type { GameListItem } from '#contracts/games.ts';
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { type BrandKey, type GameId, isReplenishId, type ReplenishId } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { countryName, displayFor } from '#server/modules/configuration/service.ts';
import { brandOf } from '#server/modules/games/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Caller, type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { SignedAnswer, SignedCall } from '#server/platform/http/signed-call.ts';
import type { Site } from '#server/platform/http/site.ts';
import { createRounds } from '#server/platform/repeat.ts';
import { answerOpenCall } from './open-call.ts';
import { stateOf, toReplenishItem } from './present.ts';
import type { ReplenishDeps } from './replenish-deps.ts';
import { ALARM_SECONDS } from './rules.ts';
import { findReplenish, listReplenishOf, type ReplenishRow, takeLateUnblocks } from './store.ts';

type LinkInput = { replenish_id?: string; rp_client_id?: string };
type Countries = { country: string; list: { display: string; value: string; domain_area: string }[] };

export type ReplenishService = {
  gameList(
    caller: Caller,
    input: LinkInput & { platform?: 'android' | 'ios' | 'web' },
  ): Promise<Answer<{ list: GameListItem[] }>>;
  info(caller: PlayerCaller, input: LinkInput): Promise<Answer<ReplenishInfo>>;
  countries(caller: PlayerCaller, input: { replenish_id: string }): Promise<Answer<Countries>>;
  /** A game's server opens one: a signed call. Null: no such game here. */
  open(site: Site, origin: string, call: SignedCall): Promise<SignedAnswer | null>;
  /** Tells operators of unblocks that take too long, each once, whichever worker sees it first. */
  readonly watch: { start(): void; stop(): Promise<void> };
};

/** Our choice: an alarm may come half a minute late. */
const WATCH_MS = 30_000;

export function createReplenishService(deps: ReplenishDeps): ReplenishService {
  const { db, configuration } = deps;
  /** The client and the game of a link; null where it leads to nothing here. */
  const placeOf = async (caller: Caller, { replenish_id: id = '', rp_client_id: clientId = '' }: LinkInput) => {
    const brand = brandOf(configuration(), caller);
    if (id !== '' && !isReplenishId(id)) return null;
    const row = id === '' ? null : await findReplenish(db, brand.key, id as ReplenishId);
    if (id !== '' && !row) return null;
    const client = row?.client_id ?? clientId;
    const game = configuration().gameOfClient(client)?.game;
    return game && brand.file.games.includes(game.id) ? { brand, game, clientId: client, row } : null;
  };
  const rounds = createRounds(deps.repeat);

  return {
    gameList: async (caller, input) => {
      const place = await placeOf(caller, input);
      if (!place) return refuse('replenishError');
      const { brand, game, clientId } = place;
      const { platform } = input;
      const list = deps.games.listGames(brand, caller.language, {
        chosen: clientId,
        ...(platform ? { platform } : {}),
      });
      const clients = new Set([clientId, ...(game.file.subGames ?? []).map((one) => one.clientId)]);
      const own = list.find(
        (one) => clients.has(one.client_id) || Object.values(one.sub_game).some((sub) => clients.has(sub.client_id)),
      );
      if (!own) return refuse('replenishError');
      // The edition that the link is for alone: its in-game login is for that one.
      const edition = Object.entries(own.sub_game).filter(([, sub]) => sub.client_id === clientId);
      return succeed({ list: [{ ...own, client_id: clientId, sub_game: Object.fromEntries(edition) }] });
    },
    info: async (caller, input) => {
      const place = await placeOf(caller, input);
      if (!place) return refuse('replenishError');
      const { brand, game } = place;
      const { playerId, bound, username } = caller.session;
      if (bound && bound.client_id !== place.clientId) return refuse('replenishError');
      const display = displayFor(brand, caller.language);
      const show = (row: ReplenishRow, isOwn: boolean) =>
        toReplenishItem(row, display.text(game.file.name), display, isOwn);
      if (place.row && place.row.player_id !== playerId) return succeed({ ...show(place.row, false), list: [] });
      const own = await listReplenishOf(db, playerId, brand.key, game.id);
      const payable = own.filter((row) => ['open', 'paying'].includes(stateOf(row)));
      const list = payable.map((row) => show(row, true));
      const chosen = place.row ?? payable[0];
      if (chosen) return succeed({ ...show(chosen, true), list });
      return succeed({
        replenish_id: '',
        client_id: place.clientId,
        game_name: display.text(game.file.name),
        user_name: username,
        amount: '',
        currency_code: '',
        valid_time: 0,
        amount_shown: '',
        amount_minor: 0,
        is_own: true,
        state: 'none' as const,
        billing_no: '',
        paid_at: 0,
        unblocked_at: 0,
        list,
      });
    },
    countries: async (caller, input) => {
      const place = await placeOf(caller, input);
      if (!place?.row || place.row.player_id !== caller.session.playerId) return refuse('replenishError');
      const { brand, row } = place;
      const display = displayFor(brand, caller.language);
      const list = [...brand.regions].flatMap(([region, { countries }]) =>
        countries
          .filter(({ currency }) => currency === row.currency)
          .map(({ code }) => ({
            display: countryName(configuration(), code, display),
            value: code,
            domain_area: region,
          })),
      );
      return succeed({ country: list[0]?.value ?? '', list });
    },
    open: (site, origin, call) => answerOpenCall(deps, site, origin, call),
    watch: {
      start: () =>
        rounds.every(
          WATCH_MS,
          () => tellLateUnblocks(deps),
          (error) => deps.log.warn({ err: error }, 'late unblocks could not be looked for; trying again'),
        ),
      stop: rounds.stop,
    },
  };
}

/** @returns how many were told of */
export async function tellLateUnblocks({ db, log }: Pick<ReplenishDeps, 'db' | 'log'>): Promise<number> {
  const late = await takeLateUnblocks(db, ALARM_SECONDS);
  for (const one of late)
    log.error(
      { alert: 'unblock_late', ...one },
      'a paid account is not unblocked yet; the promise is 15 minutes after payment',
    );
  return late.length;
}

/** Returns the amount and the recipient of an order for it; null: not one of this account in this game and client. */
export async function findPayable(
  db: Db,
  caller: PlayerCaller,
  input: { replenish_id: string; client_id: string },
): Promise<{ kind: 'ok'; amount: Money; gameId: GameId; id: ReplenishId } | { kind: 'gone' | 'foreign' }> {
  const id = input.replenish_id;
  const row = isReplenishId(id) ? await findReplenish(db, caller.site.brandKey as BrandKey, id) : null;
  if (!row || row.client_id !== input.client_id) return { kind: 'gone' };
  if (row.player_id !== caller.session.playerId) return { kind: 'foreign' };
  const amount = { amountMinor: row.amount_minor, currency: row.currency };
  return { kind: 'ok', amount, gameId: row.game_id, id: row.replenish_id };
}
