// The difference between two configurations as lines for a person: what a player or an accountant would notice first.
import type { BrandFile } from '#contracts/brand-file.ts';
import type { PromoCodeEntry } from '#contracts/codes-file.ts';
import type { GameFile, GoodsEntry, Limit } from '#contracts/game-file.ts';
import type { ConfigurationFiles } from './configuration.ts';
import type { MadePicture } from './pictures/picture-types.ts';
import { showBytes } from './pictures/pictures-rules.ts';

/** @returns one line a change, `+` new, `-` gone, `~` changed; empty when both say the same */
export function planChanges(before: ConfigurationFiles, after: ConfigurationFiles): string[] {
  return [
    ...compareMaps(before.brands, after.brands, 'brand', compareBrand, describeBrand),
    ...compareMaps(before.games, after.games, 'game', compareGame, (game) => `${game.goods.length} goods`),
    ...compareChannels(before, after),
    ...compareFields('regions', flatten(before.regions), flatten(after.regions)),
    ...compareFields('messages', flatten(before.messages ?? {}), flatten(after.messages ?? {})),
    ...comparePictures(before, after),
  ];
}

function compareMaps<Body>(
  before: ReadonlyMap<string, Body>,
  after: ReadonlyMap<string, Body>,
  noun: string,
  compare: (name: string, old: Body, now: Body) => string[],
  describe: (body: Body) => string,
): string[] {
  const lines: string[] = [];
  for (const [key, now] of after) {
    const name = `${noun} ${key}`;
    const old = before.get(key);
    if (old === undefined) lines.push(`+ ${name}: new (${describe(now)})`);
    else if (!isSame(old, now)) lines.push(...orWholly(name, compare(name, old, now)));
  }
  for (const key of before.keys()) if (!after.has(key)) lines.push(`- ${noun} ${key}: gone`);
  return lines;
}

/** Texts differ and yet no line was found: only the order of something changed. */
function orWholly(name: string, lines: string[]): string[] {
  return lines.length > 0 ? lines : [`~ ${name}: another order of entries`];
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function describeBrand({ hosts, regions, languages, hero }: BrandFile): string {
  const without = languages.filter((language) => !hero.text[language]);
  const texts = without.length > 0 ? `, no hero text in ${without.join(' ')}` : '';
  return `${hosts.live.join(' ')}, ${Object.keys(regions).join(' ')}${texts}`;
}

function compareBrand(name: string, old: BrandFile, now: BrandFile): string[] {
  const hosts = (file: BrandFile) => [...file.hosts.live, ...file.hosts.demo, ...file.backupHosts];
  const untold = (file: BrandFile) => file.languages.filter((language) => !file.hero.text[language]);
  const { hosts: _h, backupHosts: _b, languages: _l, regions: _r, games: _g, codes = [], ...rest } = now;
  const {
    hosts: _oh,
    backupHosts: _ob,
    languages: _ol,
    regions: _or,
    games: _og,
    codes: oldCodes = [],
    ...oldRest
  } = old;
  return [
    ...compareLists(`${name} hosts`, hosts(old), hosts(now)),
    ...compareLists(`${name} languages`, old.languages, now.languages),
    ...compareLists(`${name} games`, old.games, now.games),
    ...untold(now)
      .filter((language) => !untold(old).includes(language))
      .map((language) => `~ ${name}: no hero text in ${language}`),
    ...compareFields(`${name} regions`, flatten(old.regions), flatten(now.regions)),
    ...compareMaps(
      byCode(oldCodes),
      byCode(codes),
      `${name} code`,
      (code, was, is) => compareFields(code, flatten(was), flatten(is)),
      describeCode,
    ),
    ...compareFields(name, flatten(oldRest), flatten(rest)),
  ];
}

/** Prices by currency, and those of countries that have their own. */
function describePrices({ prices, countryPrices = {} }: GoodsEntry): string {
  const ofCountries = Object.entries(countryPrices).map(
    ([country, { currency, amount }]) => `${country} ${currency} ${amount}`,
  );
  return [amounts(prices), ...ofCountries].filter(Boolean).join(', ');
}

const byCode = (codes: readonly PromoCodeEntry[]) => new Map(codes.map((one) => [one.code, one]));

/** Only the part of a code that costs the shop money is shown: the rest is in the file. */
function describeCode({ rate, off, total, perPlayer, creator }: PromoCodeEntry): string {
  const what = rate !== undefined ? `rate ${rate}` : off ? `off ${amounts(off)}` : 'no discount';
  const share = creator && `${creator.share} basis points for ${creator.id}`;
  return [what, share, `total ${total ?? 'unlimited'}`, `per player ${perPlayer ?? 'unlimited'}`]
    .filter(Boolean)
    .join(', ');
}

function compareGame(name: string, old: GameFile, now: GameFile): string[] {
  const {
    goods: oldGoods,
    events: oldEvents = [],
    offers: oldOffers = [],
    check: oldCheck,
    declined: oldDeclined,
    ...oldRest
  } = old;
  const { goods, events = [], offers = [], check, declined, ...rest } = now;
  const policies = (byCheck: GameFile['check'], byDeclined: GameFile['declined']) => ({
    check: byCheck ?? 'required (default)',
    declined: byDeclined ?? 'refund (default)',
  });
  const byId = <Entry extends { id: string }>(list: readonly Entry[]) => new Map(list.map((one) => [one.id, one]));
  return [
    ...compareMaps(byId(oldGoods), byId(goods), `${name} product`, compareProduct, (product) =>
      describePrices(product),
    ),
    ...compareMaps(
      byId(oldEvents),
      byId(events),
      `${name} event`,
      (event, was, is) => compareFields(event, flatten(was), flatten(is)),
      ({ kind, every, steps }) => [kind, every && `every ${every}`, `${steps.length} steps`].filter(Boolean).join(', '),
    ),
    ...compareMaps(
      byId(oldOffers),
      byId(offers),
      `${name} offer`,
      (offer, was, is) => compareFields(offer, flatten(was), flatten(is)),
      ({ product, prices }) => `${product} for ${amounts(prices)}`,
    ),
    ...compareFields(name, flatten(policies(oldCheck, oldDeclined)), flatten(policies(check, declined))),
    ...compareFields(name, flatten(oldRest), flatten(rest)),
  ];
}

function compareProduct(name: string, old: GoodsEntry, now: GoodsEntry): string[] {
  const pick = ({ prices, listPrices, countryPrices, priceChanges = [], ...others }: GoodsEntry) => {
    const { limit, stock, isCoupon, beta, ...rest } = others;
    return {
      money: {
        price: prices,
        'list price': listPrices ?? {},
        'price in': countryPrices ?? {},
        ...Object.fromEntries(
          priceChanges.map((change) => [
            `from ${change.from}`,
            {
              price: change.prices ?? {},
              'list price': change.listPrices ?? {},
              'price in': change.countryPrices ?? {},
            },
          ]),
        ),
      },
      rest,
      eligibility: {
        limit: tellLimit(limit),
        stock: stock ?? 'unlimited',
        coupons: isCoupon ? 'allowed' : 'not allowed',
        'seen by': beta ? 'beta users' : 'everybody',
      },
    };
  };
  const [was, is] = [pick(old), pick(now)];
  return [
    ...compareFields(name, flatten(was.money), flatten(is.money)),
    ...compareFields(name, flatten(was.eligibility), flatten(is.eligibility)),
    ...compareFields(name, flatten(was.rest), flatten(is.rest)),
  ];
}

function tellLimit(limit: Limit | undefined): string {
  if (!limit) return 'none';
  const per = { role: 'per character', game: 'per account and game', time: `within ${limit.days ?? 0} days` }[
    limit.type
  ];
  return `${limit.times} ${per}`;
}

function compareChannels(before: ConfigurationFiles, after: ConfigurationFiles): string[] {
  const byId = ({ channels }: ConfigurationFiles) => new Map(channels.channels.map((channel) => [channel.id, channel]));
  const compare = (name: string, old: object, now: object) => compareFields(name, flatten(old), flatten(now));
  const byKey = ({ channels }: ConfigurationFiles) =>
    new Map((channels.methods ?? []).map((method) => [method.key, method]));
  const lines = [
    ...compareMaps(byKey(before), byKey(after), 'method', compare, (method) => method.label ?? method.name?.en ?? ''),
    ...compareMaps(
      byId(before),
      byId(after),
      'channel',
      compare,
      (channel) => `${channel.provider}, ${channel.currencies.join(' ')}`,
    ),
  ];
  if (lines.length === 0 && !isSame(before.channels, after.channels)) return ['~ channels: another order of entries'];
  return lines;
}

/** The lines of games and brands name pictures only; a changed picture under the same name shows here alone. */
function comparePictures(before: ConfigurationFiles, after: ConfigurationFiles): string[] {
  const describe = ({ width, height, smallBytes }: MadePicture) =>
    `${width} x ${height}, ${showBytes(smallBytes)} on a phone`;
  return compareMaps(
    before.pictures ?? new Map<string, MadePicture>(),
    after.pictures ?? new Map<string, MadePicture>(),
    'picture',
    (name, old, now) => [`~ ${name}: ${describe(old)} -> ${describe(now)}`],
    describe,
  );
}

function compareLists(name: string, old: readonly string[], now: readonly string[]): string[] {
  return [
    ...now.filter((entry) => !old.includes(entry)).map((entry) => `+ ${name}: ${entry}`),
    ...old.filter((entry) => !now.includes(entry)).map((entry) => `- ${name}: ${entry}`),
  ];
}

function compareFields(name: string, old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string[] {
  const lines: string[] = [];
  for (const [field, value] of now) {
    const was = old.get(field);
    if (was === undefined) lines.push(`+ ${name}: ${field} ${value}`);
    else if (was !== value) lines.push(`~ ${name}: ${field} ${was} -> ${value}`);
  }
  for (const [field, value] of old) if (!now.has(field)) lines.push(`- ${name}: ${field} ${value}`);
  return lines;
}

/** Leaves by dotted path; lists of plain values stay one leaf, so that an insertion is one line and not many. */
function flatten(value: unknown, path = ''): Map<string, string> {
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object'))
    return new Map([[path, value.join(' ')]]);
  if (typeof value !== 'object' || value === null) return new Map([[path, String(value)]]);
  return new Map(
    Object.entries(value).flatMap(([key, entry]) => {
      const name = Array.isArray(value) ? nameOf(entry, key) : key;
      return [...flatten(entry, path === '' ? name : `${path}.${name}`)];
    }),
  );
}

function nameOf(entry: unknown, position: string): string {
  const { id, key, code, channelId } = entry as Record<string, unknown>;
  return String(id ?? key ?? code ?? channelId ?? position);
}

function amounts(prices: GoodsEntry['prices']): string {
  return Object.entries(prices)
    .map(([currency, amount]) => `${currency} ${amount}`)
    .join(', ');
}
