// Checks the rules inside one game file that its schema cannot express: references, limits and money.
import type { GameFile, GoodsEntry } from '#contracts/game-file.ts';
import type { Texts } from '#contracts/files.ts';
import type { Language } from '#kernel/languages.ts';
import { readTimeZone } from '#kernel/calendar.ts';
import { isOpenLink } from '#kernel/open-link.ts';
import { parseDecimal, type Currency } from '#kernel/money.ts';
import { explainAmountFault } from '#server/modules/configuration/types/amount-types.ts';
import { findFormFault } from '#server/modules/configuration/types/counting-types.ts';
import { plainTwinOf } from '#server/modules/configuration/configuration.ts';
import { listOfGame } from '#server/modules/configuration/pictures/list-rules.ts';
import { instantOf, type PriceLayer, pricesAt } from '#server/modules/configuration/types/price-change-types.ts';
import { checkAsset } from './check-brand-rules.ts';
import type { AssetFacts, FieldPath, Finding } from './finding-types.ts';

export function checkGame(id: string, game: GameFile, assets: ReadonlyMap<string, AssetFacts>): Finding[] {
  const file = `games/${id}/game.yaml`;
  const fault = (at: FieldPath, reason: string): Finding => ({ level: 'fault', file, at, reason });
  const shelves = game.shelves.map((shelf) => shelf.key);
  const goods = game.goods.map((product) => product.id);
  return [
    ...checkIcon(id, ['icon'], game.icon, assets),
    ...(game.subGames ?? []).flatMap((subGame, index) =>
      checkIcon(id, ['subGames', index, 'icon'], subGame.icon, assets),
    ),
    ...listOfGame(id, game).flatMap(({ path, at }) => checkAsset(file, at, path, assets)),
    ...(game.timeZone === undefined || readTimeZone(game.timeZone) !== null
      ? []
      : [fault(['timeZone'], `"${game.timeZone}" is no name of a time zone; write an IANA name, e.g. "Asia/Tokyo"`)]),
    ...(game.openLink === undefined || isOpenLink(game.openLink)
      ? []
      : [
          fault(
            ['openLink'],
            `"${game.openLink}" opens no game; write an address beginning with https://, or with the game's own ` +
              'scheme, e.g. "emberfall://open"',
          ),
        ]),
    ...repeated(shelves).map((index) =>
      fault(['shelves', index, 'key'], `the shelf "${shelves[index]}" is there twice; rename one`),
    ),
    ...repeated(goods).map((index) =>
      fault(['goods', index, 'id'], `the product id "${goods[index]}" is used twice; rename one`),
    ),
    ...game.shelves.flatMap(({ unit }, index) => checkForms(unit, ['shelves', index, 'unit'], fault)),
    ...game.goods.flatMap((product, index) => {
      const at = ['goods', index];
      const found = checkLimit(product).map(({ at: field, reason }) => fault([...at, ...field], reason));
      for (const [place, gift] of (product.gifts ?? []).entries())
        found.push(...checkForms(gift.name, [...at, 'gifts', place, 'name'], fault));
      for (const [place, gift] of (product.firstTime?.gifts ?? []).entries())
        found.push(...checkForms(gift.name, [...at, 'firstTime', 'gifts', place, 'name'], fault));
      if (!product.name && product.amount === undefined)
        found.push(fault([...at, 'name'], 'is missing; add it, or an amount that the unit of the shelf counts'));
      if (!shelves.includes(product.shelf)) {
        found.push(fault([...at, 'shelf'], `there is no shelf "${product.shelf}"; known are ${shelves.join(', ')}`));
      }
      return [
        ...found,
        ...[...checkMoney(product), ...checkPriceChanges(product)].map(({ at: field, reason }) =>
          fault([...at, ...field], reason),
        ),
      ];
    }),
  ];
}

/** @param protocols null: not known, as where no server is behind the files */
export function checkProtocol(
  id: string,
  { protocol = 'standard' }: GameFile,
  protocols: readonly { readonly name: string }[] | null,
): Finding[] {
  if (protocols === null || protocols.some(({ name }) => name === protocol)) return [];
  const reason =
    `there is no game protocol "${protocol}"; known are ${protocols.map(({ name }) => name).join(', ')}, and ` +
    'modules.yaml adds your own';
  return [{ level: 'fault', file: `games/${id}/game.yaml`, at: ['protocol'], reason }];
}

function checkIcon(id: string, at: FieldPath, icon: string, assets: ReadonlyMap<string, AssetFacts>): Finding[] {
  const file = `games/${id}/game.yaml`;
  const path = `games/${id}/assets/${icon}`;
  const missing = checkAsset(file, at, path, assets);
  const twin = plainTwinOf(path);
  if (missing.length > 0 || assets.has(twin)) return missing;
  const reason = `${twin} does not exist; lists of games show it in place of ${icon}, so add it with literal colours`;
  return [{ level: 'fault', file, at, reason }];
}

export function checkForms<Found>(
  texts: Texts,
  at: FieldPath,
  fault: (at: FieldPath, reason: string) => Found,
): Found[] {
  return (Object.entries(texts) as [Language, string][]).flatMap(([language, text]) => {
    const reason = findFormFault(text, language);
    return reason === null ? [] : [fault([...at, language], reason)];
  });
}

export type Remark = { at: FieldPath; reason: string };

function checkLimit({ limit }: GoodsEntry): Remark[] {
  if (!limit) return [];
  if (limit.type === 'time' && limit.days === undefined) {
    return [{ at: ['limit'], reason: 'the type time counts within a number of days; add days, e.g. days: 7' }];
  }
  if (limit.type !== 'time' && limit.days !== undefined) {
    return [{ at: ['limit', 'days'], reason: `the type ${limit.type} knows no days; remove days or write type: time` }];
  }
  return [];
}

function checkMoney({ prices, listPrices = {}, countryPrices = {} }: PriceLayer): Remark[] {
  const remarks: Remark[] = [];
  for (const [currency, amount] of entriesOf(prices))
    remarks.push(...checkAmount(['prices', currency], amount, currency));
  for (const [currency, amount] of entriesOf(listPrices)) {
    const at = ['listPrices', currency];
    const faults = checkAmount(at, amount, currency);
    const price = prices[currency];
    if (price === undefined)
      faults.push({ at, reason: `there is no price in ${currency} to strike it through for; add one to prices` });
    else if (faults.length === 0 && !isAbove(amount, price, currency)) {
      faults.push({
        at,
        reason: `"${amount}" is not above the price "${price}"; a list price is the price before a reduction`,
      });
    }
    remarks.push(...faults);
  }
  for (const [country, { currency, amount }] of Object.entries(countryPrices)) {
    remarks.push(...checkAmount(['countryPrices', country, 'amount'], amount, currency));
  }
  return remarks;
}

/** In order, each with a price, and whole at every moment: a list price is above the price that holds with it. */
function checkPriceChanges(product: GoodsEntry): Remark[] {
  return (product.priceChanges ?? []).flatMap((change, index, changes): Remark[] => {
    const here: FieldPath = ['priceChanges', index];
    const moment = instantOf(change.from);
    if (Number.isNaN(moment))
      return [
        {
          at: [...here, 'from'],
          reason: `"${change.from}" is no moment of the calendar; write e.g. "2026-12-01T00:00:00Z"`,
        },
      ];
    const before = changes[index - 1];
    if (before && instantOf(before.from) >= moment)
      return [
        { at: [...here, 'from'], reason: `is not behind "${before.from}" above; sort the changes by their moments` },
      ];
    if (!change.prices && !change.listPrices && !change.countryPrices)
      return [{ at: here, reason: 'changes nothing; add prices, or remove it' }];
    const { prices, listPrices = {} } = pricesAt(product, moment);
    // The unchanged prices were checked above. A changed price ends the list price above it.
    const own = checkMoney({
      prices,
      listPrices,
      ...(change.countryPrices && { countryPrices: change.countryPrices }),
    });
    const isOwn = ([group, name]: FieldPath) => name !== undefined && name in (change[group as 'prices'] ?? {});
    return own.filter(({ at }) => isOwn(at)).map(({ at, reason }) => ({ at: [...here, ...at], reason }));
  });
}

/** Shape is settled by the schema; left are zero, too much, and more decimals than the currency has. */
export function checkAmount(at: FieldPath, text: string, currency: Currency, isZeroAllowed = false): Remark[] {
  const reason = explainAmountFault(text, currency);
  if (reason !== null) return [{ at, reason }];
  if (isZeroAllowed || Number(text) > 0) return [];
  return [{ at, reason: `"${text}" gives the product away; write a price above zero` }];
}

export function isAbove(text: string, other: string, currency: Currency): boolean {
  return (parseDecimal(text, currency)?.amountMinor ?? 0) > (parseDecimal(other, currency)?.amountMinor ?? 0);
}

/** Positions of entries that were there before. */
export function repeated(names: readonly string[]): number[] {
  return names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []));
}

function entriesOf(amounts: Partial<Record<Currency, string>>): [Currency, string][] {
  return Object.entries(amounts) as [Currency, string][];
}
