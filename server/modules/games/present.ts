// Games in the wire's own shapes. Pure.
import type { Platform } from '#contracts/envelope.ts';
import type { GameListItem, PageConfig } from '#contracts/games.ts';
import type { Money } from '#kernel/money.ts';
import {
  type Brand,
  type Display,
  type Game,
  countingZone,
  kindsOfOpenEvents,
  type SubGame,
  plainTwinOf,
} from '#server/modules/configuration/service.ts';

/** Which client of a game is meant: the platform's where one is named, else the chosen one itself, else the web's. */
export type ClientChoice = { readonly chosen: string; readonly platform?: Platform | undefined };

/**
 * @source specification section 3: "game config (client id per platform android, ios, web
 * ...)"; section 7, "getGameListV2"
 */
function clientOf({ file: { clients } }: Game, { chosen, platform }: ClientChoice): string {
  if (platform) return clients[platform] ?? clients.web;
  return Object.values(clients).includes(chosen) ? chosen : clients.web;
}

/**
 * A game as the list shows it, marked when the chosen client is one of its own or of its sub-games.
 * @param lowest price of its goods where the visitor is; null: not known
 */
export function toGameListItem(
  game: Game,
  display: Display,
  choice: ClientChoice,
  lowest: Money | null = null,
): GameListItem {
  const { file } = game;
  const icon = (name: string) => `/games/${game.id}/${plainTwinOf(name)}`;
  const entry = (sub: SubGame) => ({
    client_id: sub.clientId,
    gp_id: sub.gpId,
    name: display.text(sub.name),
    logo: icon(sub.icon),
  });
  return {
    client_id: clientOf(game, choice),
    gp_id: file.gpId,
    name: display.text(file.name),
    logo: icon(file.icon),
    is_select_game: [...Object.values(file.clients), ...(file.subGames ?? []).map(({ clientId }) => clientId)].includes(
      choice.chosen,
    ),
    sub_game: Object.fromEntries((file.subGames ?? []).map((sub) => [sub.code, entry(sub)])),
    terms_link: file.links.terms,
    privacy_link: file.links.privacy,
    ...(file.links.accountHelp && { account_help_link: file.links.accountHelp }),
    ...(file.openLink && { open_link: file.openLink }),
    ...(game.art.hero && { hero: game.art.hero }),
    ...(game.art.currency && { currency: game.art.currency }),
    ...(lowest && { from_shown: display.money(lowest) }),
  };
}

/**
 * @source specification section 3, "Page config"; the forced banner shows "for one brand only, when the area is Japan"
 */
export function toPageConfig(
  brand: Brand,
  game: Game,
  { region, isBeta, now }: { region: string; isBeta: boolean; now: number },
): PageConfig {
  const banners = region === 'ja' ? (brand.file.banner ?? {}) : {};
  const { languages: offered } = brand.file;
  const own = (game.file.languages ?? offered).filter((language) => offered.includes(language));
  const languages = (own.length > 0 ? own : offered).join(',');
  const viewer = { brandKey: brand.key, timeZone: countingZone(brand, game), region, isBeta };
  const kinds = kindsOfOpenEvents(game, viewer, now);
  return {
    is_open_coupon: brand.file.isVip && game.file.isCouponOpen,
    language_config: languages,
    langConfig: languages,
    area_config: { is_area_role: game.file.hasAreas },
    brand_color: brand.file.theme,
    cumulative_config: { is_has_cumulative: kinds.has('cumulative') },
    continue_config: { is_has_continue: kinds.has('continuous') },
    daily_config: { is_has_daily: kinds.has('daily') },
    banner_config: Object.fromEntries(
      Object.entries(banners).map(([language, files]) => [
        language,
        (files ?? []).map((file) => ({ picture_address: `/brands/${brand.key}/${file}` })),
      ]),
    ),
  };
}
