// What several commands read alike: a brand of the applied configuration, a player of it, an amount, who does it.
import { userInfo } from 'node:os';
import type { BrandKey } from '#kernel/ids.ts';
import { type Money, isCurrency, parseDecimal } from '#kernel/money.ts';
import { type NamedPlayer, findPlayersNamed } from '#server/modules/accounts/player-store.ts';
import type { Brand, Configuration } from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { InputFault } from '#cli/terminal.ts';

export function readBrand(configuration: Configuration, key: string): Brand {
  const brand = configuration.brands.get(key as BrandKey);
  if (!brand) throw new InputFault(`--brand "${key}": there is no such brand; known are ${[...configuration.brands.keys()].join(', ')}.`); // prettier-ignore
  return brand;
}

/**
 * @param isDisabled also whoever is shut out
 * @throws InputFault when nobody, or more than one, is called so
 */
export async function readPlayer(db: Db, brandKey: BrandKey, name: string, isDisabled = false): Promise<NamedPlayer> {
  const [player, other] = await findPlayersNamed(db, brandKey, name, isDisabled);
  if (!player) throw new InputFault(`--player "${name}": nobody of ${brandKey} is called so; a player is known after the first login.`); // prettier-ignore
  if (other) throw new InputFault(`--player "${name}": several players are called so; give the user id of the game.`);
  return player;
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

export function readCount(option: string, text: string, largest: number): number {
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > largest)
    throw new InputFault(`${option} "${text}": it must be a whole number from 1 to ${largest}.`);
  return Number(text);
}
