// Games in the wire's own shapes. Pure.
import type { GameListItem, PageConfig } from '#contracts/games.ts';
import {
  type Brand,
  type Display,
  type Game,
  type SubGame,
  plainTwinOf,
} from '#server/modules/configuration/service.ts';

/** A game as the list shows it. `chosen` is the client id the page is opened with. */
export function toGameListItem(game: Game, display: Display, chosen: string): GameListItem {
  const { file } = game;
  const icon = (name: string) => `/games/${game.id}/${plainTwinOf(name)}`;
  const entry = (sub: SubGame) => ({
    client_id: sub.clientId,
    gp_id: sub.gpId,
    name: display.text(sub.name),
    logo: icon(sub.icon),
  });
  return {
    client_id: file.clients.web,
    gp_id: file.gpId,
    name: display.text(file.name),
    logo: icon(file.icon),
    is_select_game: Object.values(file.clients).includes(chosen),
    sub_game: Object.fromEntries((file.subGames ?? []).map((sub) => [sub.code, entry(sub)])),
    terms_link: file.links.terms,
    privacy_link: file.links.privacy,
  };
}

/** @source specification section 3, "Page config"; the forced banner shows "for one brand only, when the area is Japan" */
export function toPageConfig(brand: Brand, game: Game, region: string): PageConfig {
  const banners = region === 'ja' ? (brand.file.banner ?? {}) : {};
  return {
    is_open_coupon: brand.file.isVip && game.file.isCouponOpen,
    language_config: brand.file.languages.join(','),
    area_config: { is_area_role: game.file.hasAreas },
    brand_color: brand.file.theme,
    // No event runs before the shop can hold one; the page shows no way to it.
    cumulative_config: { is_has_cumulative: false },
    continue_config: { is_has_continue: false },
    banner_config: Object.fromEntries(
      Object.entries(banners).map(([language, files]) => [
        language,
        (files ?? []).map((file) => ({ picture_address: `/brands/${brand.key}/${file}` })),
      ]),
    ),
  };
}
