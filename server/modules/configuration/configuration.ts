// Holds the applied configuration in the shapes that every module reads: brands, games, channels with money parsed and
// currencies resolved. Built once a revision from files that passed the checks; no file access, no SQL.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { ChannelsFile } from '#contracts/channels-file.ts';
import type { Texts } from '#contracts/files.ts';
import type { GameFile, GoodsEntry } from '#contracts/game-file.ts';
import type { KeyArt, Picture } from '#contracts/pictures.ts';
import type { RegionsFile } from '#contracts/regions-file.ts';
import { readAmount, readAmounts } from './types/amount-types.ts';
import { buildChannel, buildMethods, type Channel, channelsOfBrand, type Method } from './types/channel-types.ts';
import { countIn, formsFor } from './types/counting-types.ts';
import { buildEvent, type GameEvent } from './types/game-events-types.ts';
import { buildOffer, type FileOffer } from './types/offer-types.ts';
import { isIn, listPriceMoments, pricesAt, spanAt } from './types/price-change-types.ts';
import type { BrandKey, GameId } from '#kernel/ids.ts';
import type { Language } from '#kernel/languages.ts';
import type { Currency, Money } from '#kernel/money.ts';
import type { Country, Region } from '#kernel/regions.ts';
import {
  isPageDrawing,
  keyOfPicture,
  type MadePicture,
  pathOfBrand,
  pathOfGame,
  type PictureRole,
  toKeyArt,
  toPicture,
} from './pictures/picture-types.ts';
import { buildPromoCodes, type PromoCode } from './types/promo-types.ts';
import { buildVip, type Vip } from './types/vip-types.ts';

export type FileKind = 'brand' | 'game' | 'channels' | 'regions';
/**
 * A row of the applied configuration: a file, or what was made of a picture that a file names. The regions
 * are one of the channels' rows.
 */
export type RowKind = Exclude<FileKind, 'regions'> | 'picture';

/** Texts of messages/ in a shop's own words, by language and key. */
export type OwnTexts = Partial<Readonly<Record<Language, Readonly<Record<string, string>>>>>;

/** The bodies of all files, in the order of their keys; what is stored and compared. */
export type ConfigurationFiles = {
  readonly brands: ReadonlyMap<string, BrandFile>;
  readonly games: ReadonlyMap<string, GameFile>;
  readonly channels: ChannelsFile;
  /** The operator's own; empty when there is no such file. */
  readonly regions: RegionsFile;
  /** The publisher's own words for texts of the shop; left out where there are none. */
  readonly messages?: OwnTexts;
  /**
   * Holds the made sizes of the pictures that the files name, by keyOfPicture; left out while only the files are
   * compared.
   */
  readonly pictures?: ReadonlyMap<string, MadePicture>;
};

/** A payment region of a brand; the currencies are already resolved: country's, else region's, else brand's. */
export type BrandRegion = {
  readonly currency: Currency;
  readonly countries: readonly {
    readonly code: Country;
    readonly currency: Currency;
    /** The country's own word, else its region's. */
    readonly isTaxIncluded: boolean;
  }[];
};

export type Brand = {
  readonly key: BrandKey;
  readonly file: BrandFile;
  readonly liveHosts: readonly string[];
  /** The configured demo hosts and `<key in lower case>.demo.localhost`. */
  readonly demoHosts: readonly string[];
  readonly currency: Currency;
  /** In the order of the file. */
  readonly regions: ReadonlyMap<Region, BrandRegion>;
  /** Instead of the game's key art; null also where the brand's hero is a drawing. */
  readonly hero: KeyArt | null;
  /** Lists the brand's channels in its own order, then by `sort` and place in the file. */
  readonly channels: readonly Channel[];
  /** Null while the version flag is off. */
  readonly vip: Vip | null;
  /** By code. */
  readonly promoCodes: ReadonlyMap<string, PromoCode>;
};

export type SubGame = NonNullable<GameFile['subGames']>[number];

export type Product = {
  readonly id: string;
  readonly gameId: GameId;
  readonly file: GoodsEntry;
  /** The same name stands everywhere: on the card, in the order and its receipt, at the provider. */
  readonly name: Texts;
  /** The same with each language's own separators in the number, for brands with `money: local`. */
  readonly localName: Texts;
  /** Of counted goods, the form of the shelf's unit for the amount. */
  readonly unit: Texts | null;
  readonly prices: ReadonlyMap<Currency, Money>;
  /** Prices before a reduction; always above the price. */
  readonly listPrices: ReadonlyMap<Currency, Money>;
  readonly countryPrices: ReadonlyMap<Country, Money>;
  /** Epoch milliseconds between which these prices hold, the end not among them; null: without an end on that side. */
  readonly pricesHold: { readonly from: number | null; readonly until: number | null };
  /** Null: its drawing of the sprite is shown. */
  readonly picture: Picture | null;
};

/** Policies that the file may leave out are always there: nobody has to know their defaults. */
export type GameSettings = GameFile & Required<Pick<GameFile, 'check' | 'declined'>>;

export type Game = {
  readonly id: GameId;
  readonly file: GameSettings;
  /** In the order of the file. */
  readonly products: ReadonlyMap<string, Product>;
  readonly art: { readonly hero: KeyArt | null; readonly currency: Picture | null };
  /** In the order of the file. */
  readonly events: readonly GameEvent[];
  /** In the order of the file. */
  readonly offers: readonly FileOffer[];
};

export type Configuration = {
  /** As it is at `now`, epoch milliseconds of the database: the same object until a price changes by itself. */
  at(now: number): Configuration;
  /** Counts up by one with every applied change; 0: nothing was applied yet. */
  readonly revision: number;
  readonly brands: ReadonlyMap<BrandKey, Brand>;
  readonly games: ReadonlyMap<GameId, Game>;
  /** By `sort`, then by place in the file. */
  readonly channels: readonly Channel[];
  readonly messages: OwnTexts;
  /** Names that the operator's regions file gives; null for all others. */
  regionName(region: Region): Texts | null;
  countryName(country: Country): Texts | null;
  /** By key, in the order of the file; a channel without a method is one of its own, under its id. */
  readonly methods: ReadonlyMap<string, Method>;
  /** @param host lower case, without port; null for a host that is in no brand's list (answer 404) */
  brandByHost(host: string): Brand | null;
  /** The game of a client id (android, ios, web or a sub-game's own). */
  gameOfClient(clientId: string): { readonly game: Game; readonly subGame: SubGame | null } | null;
  productOf(gameId: GameId, productId: string): Product | null;
  /** The small picture that stands in the HTML in the place of key art until that has come, in base64; '' for none. */
  firstLookOf(art: KeyArt): string;
};

/** The host under which a brand is reached on any machine without a hosts file. */
export function localDemoHost(brandKey: string): string {
  return `${brandKey.toLowerCase()}.demo.localhost`;
}

/** An <img> reads no custom properties, so lists of games show the twin of a drawing with literal colours. */
export function plainTwinOf(picture: string): string {
  return picture.replace(/\.svg$/, '-plain.svg');
}

/**
 * Returns true when the area that an address or a call names is one of this brand's, or when none is named. @source
 * specification section 8: -3014
 */
export function isSoldIn(brand: Brand, area: string | undefined): boolean {
  return !area || brand.regions.has(area);
}

/** Every currency of a brand by region and country, resolved: country's, else region's, else brand's. */
export function resolveRegions(file: BrandFile): Map<Region, BrandRegion> {
  return new Map(
    (Object.entries(file.regions) as [Region, NonNullable<BrandFile['regions'][Region]>][]).map(([region, entry]) => {
      const currency = entry.currency ?? file.currency;
      const countries = entry.countries.map((country) => ({
        code: country.code,
        currency: country.currency ?? currency,
        isTaxIncluded: country.pricesIncludeTax ?? entry.pricesIncludeTax ?? false,
      }));
      return [region, { currency, countries }];
    }),
  );
}

/**
 * Builds the look-ups. The files must have passed the checks: an unreadable amount throws a RangeError.
 * @param now epoch milliseconds of the database: prices are those of that moment
 */
export function buildConfiguration(files: ConfigurationFiles, revision: number, now: number): Configuration {
  const made = (role: PictureRole, path: string) => files.pictures?.get(keyOfPicture(role, path)) ?? null;
  const channels = files.channels.channels.map(buildChannel).toSorted((a, b) => a.file.sort - b.file.sort);
  const brands = new Map(
    [...files.brands].map(([key, file]) => [key as BrandKey, buildBrand(key as BrandKey, file, { made, channels })]),
  );
  const games = new Map([...files.games].map(([id, file]) => [id as GameId, buildGame(id as GameId, file, made, now)]));
  const hosts = new Map<string, Brand>();
  for (const brand of brands.values()) {
    for (const host of [...brand.liveHosts, ...brand.demoHosts, ...brand.file.backupHosts]) hosts.set(host, brand);
  }
  const clients = new Map<string, { game: Game; subGame: SubGame | null }>();
  for (const game of games.values()) {
    for (const clientId of Object.values(game.file.clients)) clients.set(clientId, { game, subGame: null });
    for (const subGame of game.file.subGames ?? []) clients.set(subGame.clientId, { game, subGame });
  }
  const moments = listPriceMoments([...files.games.values()].flatMap(({ goods }) => goods));
  const holds = spanAt(moments, now);
  const firstLooks = new Map([...(files.pictures?.values() ?? [])].map((one) => [toPicture(one).avif, one.firstLook]));
  const configuration: Configuration = {
    at: (moment) => (isIn(holds, moment) ? configuration : buildConfiguration(files, revision, moment)),
    revision,
    brands,
    games,
    channels,
    messages: files.messages ?? {},
    methods: buildMethods(files.channels),
    regionName: (region) => files.regions.regions?.[region]?.name ?? null,
    countryName: (country) => files.regions.countries?.[country]?.name ?? null,
    brandByHost: (host) => hosts.get(host) ?? null,
    gameOfClient: (clientId) => clients.get(clientId) ?? null,
    productOf: (gameId, productId) => games.get(gameId)?.products.get(productId) ?? null,
    firstLookOf: ({ avif }) => firstLooks.get(avif) ?? '',
  };
  return configuration;
}

type FindMade = (role: PictureRole, path: string) => MadePicture | null;

function buildBrand(
  key: BrandKey,
  file: BrandFile,
  { made, channels }: { made: FindMade; channels: readonly Channel[] },
): Brand {
  const { hero, heroFocus } = file.art;
  const art = hero === undefined || isPageDrawing(hero) ? null : made('hero', pathOfBrand(key, hero));
  return {
    key,
    file,
    liveHosts: file.hosts.live,
    demoHosts: [localDemoHost(key), ...file.hosts.demo],
    currency: file.currency,
    regions: resolveRegions(file),
    hero: art && toKeyArt(art, heroFocus),
    channels: channelsOfBrand(key, file, channels),
    vip: buildVip(file),
    promoCodes: buildPromoCodes(file),
  };
}

function buildGame(id: GameId, file: GameFile, made: FindMade, now: number): Game {
  const find = (role: PictureRole, picture: string | undefined) =>
    picture === undefined ? null : made(role, pathOfGame(id, picture));
  const toPictureOf = (role: PictureRole, picture: string | undefined) => {
    const found = find(role, picture);
    return found && toPicture(found);
  };
  const hero = find('hero', file.art?.hero);
  const products = file.goods.map((goods): [string, Product] => [
    goods.id,
    {
      id: goods.id,
      gameId: id,
      file: goods,
      ...nameProduct(file, goods),
      ...readPrices(goods, now),
      picture: toPictureOf('goods', goods.picture),
    },
  ]);
  const policies = { check: file.check ?? 'required', declined: file.declined ?? 'refund' } as const;
  const art = {
    hero: hero && toKeyArt(hero, file.art?.heroFocus),
    currency: toPictureOf('currency', file.art?.currency),
  };
  const events = (file.events ?? []).map((event) =>
    buildEvent(event, { readAmounts, pictureOf: (picture) => toPictureOf('goods', picture) }),
  );
  const offers = (file.offers ?? []).map((offer) => buildOffer(offer, readAmounts));
  return { id, file: { ...file, ...policies }, products: new Map(products), art, events, offers };
}

function readPrices(
  goods: GoodsEntry,
  now: number,
): Pick<Product, 'prices' | 'listPrices' | 'countryPrices' | 'pricesHold'> {
  const { prices, listPrices = {}, countryPrices = {} } = pricesAt(goods, now);
  return {
    prices: readAmounts(prices),
    listPrices: readAmounts(listPrices),
    countryPrices: new Map(
      Object.entries(countryPrices).map(([country, { amount, currency }]) => [country, readAmount(amount, currency)]),
    ),
    pricesHold: spanAt(listPriceMoments([goods]), now),
  };
}

/** @throws RangeError for goods that nothing names; the checks let none through */
function nameProduct(
  game: GameFile,
  { id, name, amount, shelf }: GoodsEntry,
): Pick<Product, 'name' | 'localName' | 'unit'> {
  const unit = amount === undefined ? undefined : game.shelves.find(({ key }) => key === shelf)?.unit;
  const counted = unit && amount !== undefined ? { unit, amount } : undefined;
  const shown = name ?? (counted && countIn(counted.unit, counted.amount));
  if (!shown) throw new RangeError(`the product ${id} has no name`);
  return {
    name: shown,
    localName: name ?? (counted ? countIn(counted.unit, counted.amount, true) : shown),
    unit: counted ? formsFor(counted.unit, counted.amount) : null,
  };
}
