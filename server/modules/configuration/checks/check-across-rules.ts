// Checks rules that hold between files: one host one brand, one client id one game, a price wherever a brand charges.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { ChannelsFile } from '#contracts/channels-file.ts';
import type { GameFile } from '#contracts/game-file.ts';
import type { Currency } from '#kernel/money.ts';
import { findNear } from '#kernel/near.ts';
import type { Country, Region } from '#kernel/regions.ts';
import { isOfBrand } from '#server/modules/configuration/types/channel-types.ts';
import { localDemoHost, resolveRegions } from '#server/modules/configuration/configuration.ts';
import type { FieldPath, Finding } from './finding-types.ts';

type Brands = ReadonlyMap<string, BrandFile>;
type Games = ReadonlyMap<string, GameFile>;
type Place = { file: string; at: FieldPath; owner: string };

export function checkHosts(brands: Brands): Finding[] {
  const uses: [string, Place][] = [...brands].flatMap(([key, brand]) => {
    const file = `brands/${key}/brand.yaml`;
    const place = (at: FieldPath, owner: string): Place => ({ file, at, owner });
    return [
      [localDemoHost(key), place([], `the demo host that every brand has, here of ${key}`)] as [string, Place],
      ...brand.hosts.live.map((host, index): [string, Place] => [
        host,
        place(['hosts', 'live', index], `brand ${key}`),
      ]),
      ...brand.hosts.demo.map((host, index): [string, Place] => [
        host,
        place(['hosts', 'demo', index], `brand ${key}`),
      ]),
      ...brand.backupHosts.map((host, index): [string, Place] => [host, place(['backupHosts', index], `brand ${key}`)]),
    ];
  });
  return twice(
    uses,
    (host, owner) => `the host "${host}" is used already (${owner}); a host belongs to one brand, once`,
  );
}

export function checkGameIds(games: Games): Finding[] {
  const clients: [string, Place][] = [];
  const products: [string, Place][] = [];
  const codes: [string, Place][] = [];
  for (const [id, game] of games) {
    const place = (...at: FieldPath): Place => ({ file: `games/${id}/game.yaml`, at, owner: `game ${id}` });
    products.push([game.gpId, place('gpId')]);
    codes.push([game.code, place('code')]);
    for (const [platform, clientId] of Object.entries(game.clients))
      clients.push([clientId, place('clients', platform)]);
    for (const [index, subGame] of (game.subGames ?? []).entries()) {
      clients.push([subGame.clientId, place('subGames', index, 'clientId')]);
      products.push([subGame.gpId, place('subGames', index, 'gpId')]);
      codes.push([subGame.code, place('subGames', index, 'code')]);
    }
  }
  return [
    ...twice(
      clients,
      (clientId, owner) => `the client id ${clientId} is used already (${owner}); give this one its own`,
    ),
    ...twice(
      products,
      (gpId, owner) => `the game product id ${gpId} is used already (${owner}); give this one its own`,
    ),
    ...twice(codes, (code, owner) => `the code "${code}" is used already (${owner}); give this one its own`),
  ];
}

/** A client id that gives a region must be one of a game of that brand. */
export function checkClientRegions(brands: Brands, games: Games): Finding[] {
  return [...brands].flatMap(([key, brand]) => {
    const sold = brand.games.flatMap((id) => games.get(id) ?? []);
    // A game with faults of its own is left out of `games`; then nothing can be said here.
    if (sold.length < brand.games.length) return [];
    const known = sold.flatMap((game) => [
      ...Object.values(game.clients),
      ...(game.subGames ?? []).map((subGame) => subGame.clientId),
    ]);
    return Object.keys(brand.clientRegions ?? {})
      .filter((clientId) => !known.includes(clientId))
      .map((clientId): Finding => ({
        level: 'fault',
        file: `brands/${key}/brand.yaml`,
        at: ['clientRegions', clientId],
        reason: `no game of this brand has the client id ${clientId}; known are ${known.join(', ')}`,
      }));
  });
}

function twice(uses: readonly [string, Place][], explain: (name: string, owner: string) => string): Finding[] {
  const first = new Map<string, Place>();
  const findings: Finding[] = [];
  for (const [name, place] of uses) {
    const earlier = first.get(name);
    if (earlier)
      findings.push({ level: 'fault', file: place.file, at: place.at, reason: explain(name, earlier.owner) });
    else first.set(name, place);
  }
  return findings;
}

type Sale = { brandKey: string; region: Region; country: Country; currency: Currency };

function salesOf(brands: Brands): Sale[] {
  return [...brands].flatMap(([brandKey, brand]) =>
    [...resolveRegions(brand)].flatMap(([region, { countries }]) =>
      countries.map(({ code, currency }) => ({ brandKey, region, country: code, currency })),
    ),
  );
}

/** Every product needs a price in every currency that a brand of its game charges; told once a product and currency. */
export function checkPrices(brands: Brands, games: Games): Finding[] {
  const sales = salesOf(brands);
  return [...games].flatMap(([id, game]) => {
    const sold = sales.filter((sale) => brands.get(sale.brandKey)?.games.includes(id));
    return game.goods.flatMap((product, index) => {
      const missing = new Map<Currency, Sale>();
      for (const sale of sold) {
        const isPriced =
          product.countryPrices?.[sale.country]?.currency === sale.currency || product.prices[sale.currency];
        if (!isPriced && !missing.has(sale.currency)) missing.set(sale.currency, sale);
      }
      return [...missing].map(([currency, { brandKey, region, country }]): Finding => ({
        level: 'fault',
        file: `games/${id}/game.yaml`,
        at: ['goods', index, 'prices', currency],
        reason: `has no price, but brand ${brandKey} charges ${currency} in ${region}, ${country}; add one`,
      }));
    });
  });
}

type Addressed = { readonly brands?: readonly string[]; readonly regions?: readonly Region[] };

/**
 * An event or offer names brands that sell its game and regions where one of them sells it; an event says its amounts
 * in every currency that is charged there, told once an event. An offer without one is not made there.
 * @param brandKeys also of brands with faults of their own, of which nothing can be said here
 */
export function checkEventPlaces(brands: Brands, games: Games, brandKeys: readonly string[]): Finding[] {
  const isComplete = brandKeys.every((key) => brands.has(key));
  const sales = salesOf(brands);
  return [...games].flatMap(([id, game]) => {
    const selling = [...brands.keys()].filter((key) => brands.get(key)?.games.includes(id));
    const regions = [...new Set(sales.filter(({ brandKey }) => selling.includes(brandKey)).map((one) => one.region))];
    const faultAt =
      (...place: FieldPath) =>
      (at: FieldPath, reason: string): Finding => ({
        level: 'fault',
        file: `games/${id}/game.yaml`,
        at: [...place, ...at],
        reason,
      });
    const checkAudience = (one: Addressed, fault: (at: FieldPath, reason: string) => Finding): Finding[] => [
      ...(one.brands ?? []).flatMap((key, place) =>
        selling.includes(key) || (brandKeys.includes(key) && !brands.has(key))
          ? []
          : [fault(['brands', place], `no brand "${key}" sells this game; those that do are ${selling.join(', ')}`)],
      ),
      ...(one.regions ?? []).flatMap((region, place) =>
        !isComplete || regions.includes(region)
          ? []
          : [fault(['regions', place], `the game is not sold in ${region}; it is in ${regions.join(', ')}`)],
      ),
    ];
    const ofOffers = (game.offers ?? []).flatMap((offer, index) => checkAudience(offer, faultAt('offers', index)));
    const ofEvents = (game.events ?? []).flatMap((event, index) => {
      const fault = faultAt('events', index);
      const own = sales.filter(
        ({ brandKey, region }) =>
          selling.includes(brandKey) &&
          (event.brands?.includes(brandKey) ?? true) &&
          (event.regions?.includes(region) ?? true),
      );
      const currencies = [...new Set(own.map(({ currency }) => currency))];
      const lacking = (amounts: Partial<Record<Currency, string>> | undefined, at: FieldPath) =>
        currencies
          .filter((currency) => amounts && amounts[currency] === undefined)
          .map((currency) => {
            const sale = own.find((one) => one.currency === currency);
            const where = `brand ${sale?.brandKey} charges ${currency} in ${sale?.region}, ${sale?.country}`;
            return fault([...at, currency], `has no amount, but ${where}; add one`);
          });
      return [
        ...checkAudience(event, fault),
        ...lacking(event.least, ['least']),
        ...event.steps.flatMap(({ total }, step) => lacking(total, ['steps', step, 'total'])),
      ];
    });
    return [...ofEvents, ...ofOffers];
  });
}

/** A place without a channel is no fault, for an operator may be about to sign one; but nobody can pay there. */
export function checkCoverage(brands: Brands, { channels }: ChannelsFile): Finding[] {
  const isOwn = (channel: ChannelsFile['channels'][number], key: string) => {
    const brand = brands.get(key);
    return brand !== undefined && isOfBrand(channel, key, brand);
  };
  return salesOf(brands).flatMap(({ brandKey, region, country, currency }): Finding[] => {
    const isPayable = channels.some(
      (channel) =>
        channel.regions.includes(region) &&
        channel.currencies.includes(currency) &&
        (channel.countries.includes('GLOBAL') || channel.countries.includes(country)) &&
        isOwn(channel, brandKey),
    );
    if (isPayable) return [];
    const reason = `no channel takes ${currency} in ${country}, so nobody can pay there`;
    return [{ level: 'warning', file: `brands/${brandKey}/brand.yaml`, at: ['regions', region], reason }];
  });
}

/** The brand's settings of its channels must name channels that exist and that it offers. */
export function checkBrandChannels(brands: Brands, { channels }: ChannelsFile): Finding[] {
  const ids = channels.map(({ id }) => id);
  return [...brands].flatMap(([key, brand]) => {
    const fault = (at: FieldPath, reason: string): Finding => ({
      level: 'fault',
      file: `brands/${key}/brand.yaml`,
      at: ['channels', ...at],
      reason,
    });
    const { include = [], exclude = [], order = [] } = brand.channels ?? {};
    const unknown = Object.entries({ include, exclude, order }).flatMap(([list, names]) =>
      names.flatMap((id, index) => {
        if (ids.includes(id)) return [];
        const near = findNear(id, ids);
        const remedy = near ? `did you mean "${near}"?` : 'channels/channels.yaml has the ids';
        return [fault([list, index], `there is no channel "${id}"; ${remedy}`)];
      }),
    );
    const idle = order.flatMap((id, index) => {
      const channel = channels.find((one) => one.id === id);
      if (!channel || isOfBrand(channel, key, brand)) return [];
      return [fault(['order', index], `the brand does not offer "${id}", so it has no place; remove it here`)];
    });
    const both = exclude.flatMap((id, index) =>
      include.includes(id) ? [fault(['exclude', index], `"${id}" is included above; keep it in one of the lists`)] : [],
    );
    return [...unknown, ...idle, ...both];
  });
}
