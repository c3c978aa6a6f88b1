// Reads the options that several commands share: a brand of the applied configuration, a player of it, an amount, who
// does it.
import { userInfo } from 'node:os';
import { MAX_REASON } from '#contracts/admin.ts';
import type { BrandKey } from '#kernel/ids.ts';
import { type Money, isCurrency, parseDecimal } from '#kernel/money.ts';
import {
  type FoundPlayer,
  type PlayerRef,
  findPlayersByRef,
  findPlayersShownAs,
} from '#server/modules/accounts/player-ref.ts';
import { type Brand, type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { findUnknownFilter, sayNoBrand } from '#server/modules/orders/operator/unknown-filter.ts';
import type { Db } from '#server/platform/database/db.ts';
import { InputFault, type Terminal, cleanText } from '#cli/terminal.ts';

export function readBrand(configuration: Configuration, key: string): Brand {
  const brand = configuration.brands.get(key as BrandKey);
  if (!brand) throw new InputFault(`--brand "${key}": ${sayNoBrand(configuration)}.`);
  return brand;
}

/** Asked where nothing was found. @throws InputFault for a filter that nothing can fit */
export async function refuseUnknown(db: Db, filter: { brand: string | null; country?: string | null }): Promise<void> {
  const { brand, country = null } = filter;
  const unknown = brand === null && country === null ? null : findUnknownFilter(await loadConfiguration(db), filter);
  if (unknown) throw new InputFault(`--${unknown.name} "${filter[unknown.name] ?? ''}": ${unknown.reason}.`);
}

/** Describes the forms of `--player`, for the help of each command. */
export const PLAYER_OPTION =
  'user_id:<id of the game>, login:<name of an account kept here>, player_id:<our id>, or one of these alone';

/**
 * The player that an id names. A shown name is no id, for players choose it: where it is the
 * only one, a person is asked.
 * @param options.json a program reads the answer: nobody is asked
 * @param options.isDisabled also whoever is shut out
 * @throws InputFault when nobody, or more than one, is meant
 */
export async function readPlayer(
  terminal: Terminal,
  db: Db,
  brandKey: BrandKey,
  text: string,
  options: { json?: boolean | undefined; isDisabled?: boolean } = {},
): Promise<FoundPlayer> {
  const fault = (reason: string) => new InputFault(`--player "${text}": ${reason}`);
  const [player, ...others] = await findPlayersByRef(db, brandKey, readRefs(text), options.isDisabled);
  if (player && others.length > 0) throw fault(`several players have this id; write ${listIds([player, ...others])}.`);
  if (player) return player;
  const [shown, twin] = await findPlayersShownAs(db, brandKey, text, options.isDisabled);
  if (!shown) throw fault(`no player of ${brandKey} has this id; a player is known after the first login.`);
  if (twin) throw fault('several players are shown by this name, which is no id; give the user id of the game.');
  const whom = `user_id:${shown.suid} (player_id:${shown.player_id})`;
  if (!terminal.ask || options.json)
    throw fault(
      `this is a name that one player is shown by, no id; if it is the one, write --player user_id:${shown.suid}.`,
    );
  if (!(await terminal.ask(`"${text}" is no id, but the shown name of ${whom}. Is this the player?`)))
    throw fault('nothing was done.');
  return shown;
}

/** Each by the one id that no other player has. */
function listIds(players: readonly FoundPlayer[]): string {
  const ids = players.map(
    (one) => `player_id:${one.player_id} (${cleanText(one.username)}, user id ${cleanText(one.suid)})`,
  );
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(ids);
}

/** Without a word before it a text may be any of the three: whoever has it as an id is meant. */
function readRefs(text: string): PlayerRef[] {
  const named = /^(user_id|login|player_id):(.+)$/s.exec(text);
  if (named) return [{ by: named[1] as PlayerRef['by'], value: named[2] ?? '' }];
  return (['user_id', 'login', 'player_id'] as const).map((by) => ({ by, value: text }));
}

/** "USD=4.99" as money. */
export function readAmount(option: string, text: string): Money {
  const [currency = '', decimal = ''] = text.split('=', 2);
  const amount = isCurrency(currency) ? parseDecimal(decimal, currency) : null;
  if (!amount) throw new InputFault(`${option} "${text}": write a currency and an amount of it, e.g. USD=4.99.`);
  return amount;
}

export function readActor(by: string | undefined): string {
  const name = (by ?? userInfo().username).trim();
  if (name === '') throw new InputFault('--by: it must be a name.');
  return name;
}

/** Why a person does it, as audit and books keep it: one bound for commands and the admin API. */
export function readReason(text: string): string {
  const reason = text.trim();
  const length = [...reason].length;
  if (length < 1 || length > MAX_REASON)
    throw new InputFault(`--reason: it must have 1 to ${MAX_REASON} characters; this one has ${length}.`);
  return reason;
}

export function readCount(option: string, text: string, largest: number): number {
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > largest)
    throw new InputFault(`${option} "${text}": it must be a whole number from 1 to ${largest}.`);
  return Number(text);
}
