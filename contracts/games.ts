// Games of a brand, their servers and the player's characters.
import Type, { type Static } from 'typebox';
import { ClientId, Pair, Platform, Text, params } from './envelope.ts';
import { KeyArt, Picture } from './pictures.ts';
import { route } from './route.ts';

const SubGame = Type.Object({
  client_id: Type.String(),
  gp_id: Type.String(),
  name: Type.String(),
  logo: Type.String(),
});

/** @source specification section 3, "Game list item" */
export const GameListItem = Type.Object({
  client_id: Type.String(),
  gp_id: Type.String(),
  name: Type.String(),
  logo: Type.String(),
  is_select_game: Type.Boolean(),
  sub_game: Type.Record(Type.String(), SubGame),
  terms_link: Type.String(),
  privacy_link: Type.String(),
  /** Players of the game find their account there; left out where the brand's own link counts. */
  account_help_link: Type.Optional(Type.String()),
  /** Opens the game: https, or a scheme of its own. */
  open_link: Type.Optional(Type.String()),
  /** Key art and currency, where the publisher brought them; the same for every edition of a game. */
  hero: Type.Optional(KeyArt),
  currency: Type.Optional(Picture),
  /** Lowest price of its goods in the area in use; left out where none is known. */
  from_shown: Type.Optional(Type.String()),
});
export type GameListItem = Static<typeof GameListItem>;

/** @source specification section 3, "Page config" */
export const PageConfig = Type.Object({
  is_open_coupon: Type.Boolean(),
  /** Comma list of languages; `langConfig` is the same under its other name. */
  language_config: Type.String(),
  langConfig: Type.String(),
  area_config: Type.Object({ is_area_role: Type.Boolean() }),
  brand_color: Type.String(),
  cumulative_config: Type.Object({ is_has_cumulative: Type.Boolean() }),
  continue_config: Type.Object({ is_has_continue: Type.Boolean() }),
  /** Ours: a reward for coming by each day. */
  daily_config: Type.Object({ is_has_daily: Type.Boolean() }),
  banner_config: Type.Record(Type.String(), Type.Array(Type.Object({ picture_address: Type.String() }))),
});
export type PageConfig = Static<typeof PageConfig>;

/** A server of an area. `area_id` is empty when the game has no areas. */
export const ServerItem = Type.Object({ display: Type.String(), value: Type.String(), area_id: Type.String() });
export type ServerItem = Static<typeof ServerItem>;

/** A character. `level` is 0 when the game does not tell. */
export const RoleItem = Type.Object({
  display: Type.String(),
  value: Type.String(),
  level: Type.Integer(),
  server_id: Type.String(),
  server_name: Type.String(),
  area_id: Type.String(),
});
export type RoleItem = Static<typeof RoleItem>;

const place = { client_id: ClientId, area_id: Type.Optional(Text(64)) };

export const gameRoutes = {
  list: route({
    path: '/api/pay/getGameListV2',
    kind: 'read',
    summary: 'Games of this brand in a payment region',
    access: 'anyone',
    input: params({
      client_id: Type.Optional(Text(32)),
      platform: Type.Optional(Platform),
      domain_area: Type.Optional(Text(16)),
      country: Type.Optional(Text(8)),
    }),
    output: Type.Object({ list: Type.Array(GameListItem) }),
  }),
  pageConfig: route({
    path: '/api/config/recharge',
    kind: 'read',
    summary: 'What the page of a game shows in a payment region',
    access: 'anyone',
    input: params({ client_id: ClientId, domain_area: Type.Optional(Text(16)) }),
    output: PageConfig,
  }),
  logo: route({
    path: '/api/config/game_logo',
    kind: 'read',
    summary: 'The icon of a game',
    access: 'anyone',
    input: params({ client_id: ClientId }),
    output: Type.Object({ icon: Type.String() }),
  }),
  servers: route({
    path: '/api/pay/getServerList',
    kind: 'read',
    summary: 'Areas and servers of a game',
    access: 'anyone',
    input: params(place),
    output: Type.Object({ areas: Type.Array(Pair), servers: Type.Array(ServerItem) }),
  }),
  roles: route({
    path: '/api/pay/getRoleList',
    kind: 'read',
    summary: "The player's characters on one server",
    access: 'player',
    input: params({ ...place, server_id: Text(64) }),
    output: Type.Object({ list: Type.Array(RoleItem) }),
  }),
  allRoles: route({
    path: '/api/system/allRoleList',
    kind: 'read',
    summary: "The player's characters on all servers of a game",
    access: 'player',
    input: params({ client_id: ClientId }),
    output: Type.Object({ list: Type.Array(RoleItem) }),
  }),
};
