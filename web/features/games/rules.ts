// Decides the receiver of the goods: which game, area, server and character hold, without the page.
import type { GameListItem, RoleItem, ServerItem } from '#contracts/games.ts';

/**
 * One line of the game list: a game, or an edition inside it. `code` is the key of the sub_game
 * map, empty for the game itself.
 */
export type GameChoice = {
  code: string;
  client_id: string;
  gp_id: string;
  name: string;
  logo: string;
  terms_link: string;
  privacy_link: string;
  hero?: GameListItem['hero'];
  currency?: GameListItem['currency'];
  /** Of a game; one edition of it has none of its own. */
  from_shown?: string | undefined;
};

type SubGame = GameListItem['sub_game'][string];

/**
 * The map of editions as a list with its key as `code`, in the order of the map. @source
 * specification section 3, "Game list item"
 */
function listSubGames(game: GameListItem): (SubGame & { code: string })[] {
  return Object.entries(game.sub_game).map(([code, sub]) => ({ code, ...sub }));
}

/** Everything that can be chosen: editions where a game has them, else the game itself. */
export function listChoices(games: readonly GameListItem[]): GameChoice[] {
  return games.flatMap((game) => {
    const { terms_link, privacy_link, hero, currency } = game;
    const links = { terms_link, privacy_link, hero, currency };
    const editions = listSubGames(game).map((sub) => ({ ...sub, ...links }));
    if (editions.length > 0) return editions;
    const { client_id, gp_id, name, logo, from_shown } = game;
    return [{ code: '', client_id, gp_id, name, logo, from_shown, ...links }];
  });
}

/**
 * The game of this visit: the one the address asks for, and no other; without a wish the one stored, else the
 * one the server marks, else the first. Null when the list is empty, or when the address asks for a game that is not in
 * it.
 */
export function chooseGame(
  games: readonly GameListItem[],
  wanted: string | undefined,
  stored: string | undefined,
): GameChoice | null {
  const choices = listChoices(games);
  if (wanted) {
    const whole = games.find((game) => game.client_id === wanted);
    return choices.find((choice) => choice.client_id === wanted) ?? (whole && listChoices([whole])[0]) ?? null;
  }
  const marked = games.find((game) => game.is_select_game);
  const markedChoice = marked ? listChoices([marked])[0] : undefined;
  return choices.find((choice) => choice.client_id === stored) ?? markedChoice ?? choices[0] ?? null;
}

/**
 * "12" -> "s12", "S3" and "s3" stay. Empty stays empty. @source specification section 4: "gets an s prefix if lacking"
 */
export function withServerPrefix(serverId: string): string {
  return serverId === '' || /^s/i.test(serverId) ? serverId : `s${serverId}`;
}

/** Remembers a character, per game. */
export type RoleRef = { role_id: string; server_id: string; area_id: string };

export type RoleDecision =
  | { kind: 'chosen'; role: RoleItem }
  | { kind: 'choose' }
  /** The address named a character that this account does not have. */
  | { kind: 'notFound' }
  | { kind: 'none' };

/**
 * Which character receives: the one of the address, else the remembered one, else the only one; where the address
 * names a server or area, of those there alone. A character of the address that does not exist is told, never silently
 * replaced: somebody else would get the goods.
 * @source specification sections 2 (query keys) and 8 ("character not found, reselect or change account")
 */
export function chooseRole(
  roles: readonly RoleItem[],
  wanted: Partial<RoleRef>,
  remembered: RoleRef | null,
): RoleDecision {
  const here = roles.filter((role) => isAt(role, wanted));
  if (wanted.role_id) {
    const found = here.find((role) => role.value === wanted.role_id);
    return found ? { kind: 'chosen', role: found } : { kind: 'notFound' };
  }
  if (roles.length === 0) return { kind: 'none' };
  const last = remembered
    ? here.find((role) => role.value === remembered.role_id && role.server_id === remembered.server_id)
    : undefined;
  if (last) return { kind: 'chosen', role: last };
  const [only] = here;
  return only && here.length === 1 ? { kind: 'chosen', role: only } : { kind: 'choose' };
}

/**
 * Returns true when a character is on the server and in the area that the address names; parts that it leaves out are
 * any.
 */
function isAt(role: RoleItem, { server_id, area_id }: Partial<RoleRef>): boolean {
  // Games without areas give their characters none.
  const isInArea = !area_id || role.area_id === '' || role.area_id === area_id;
  return isInArea && (!server_id || isSameServer(role.server_id, server_id));
}

function isSameServer(a: string, b: string): boolean {
  return withServerPrefix(a).toLowerCase() === withServerPrefix(b).toLowerCase();
}

/** The server that the address names, or undefined. */
export function findServer(servers: readonly ServerItem[], serverId: string): ServerItem | undefined {
  return serverId === '' ? undefined : servers.find((server) => isSameServer(server.value, serverId));
}

/** Servers of one area; all of them when the game has no areas. */
export function serversOf(servers: readonly ServerItem[], isAreaRole: boolean, areaId: string): ServerItem[] {
  return isAreaRole ? servers.filter((server) => server.area_id === areaId) : [...servers];
}

/**
 * Returns true when character and server are dropped: the next game has another client. @source specification section 4
 */
export function isOtherClient(current: string, next: string): boolean {
  return current !== next;
}
