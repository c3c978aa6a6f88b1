// No setting without effect: every key of the three kinds of file is named here with the code that reads
// it. What is accepted and does nothing makes an operator believe in it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BrandFile } from '#contracts/brand-file.ts';
import { BRAND_RETENTION } from '#contracts/retention.ts';
import { ChannelsFile } from '#contracts/channels-file.ts';
import { NOTICE_ITEMS, NOTICES } from '#contracts/notices.ts';
import { LANGUAGES } from '#kernel/languages.ts';
import { GameFile } from '#contracts/game-file.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const CONFIGURATION = 'server/modules/configuration';

type Schema = {
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
};

/**
 * Every key below a schema: `goods[].limit.days`, `regions.*.countries[].code`. The keys of a map and the
 * languages of a text are none.
 */
function keysOf(schema: Schema, at = ''): string[] {
  if (schema.items) return keysOf(schema.items, `${at}[]`);
  const own = Object.entries(schema.properties ?? {});
  if (own.length === LANGUAGES.length && own.every(([key]) => LANGUAGES.includes(key as never))) return [];
  const values = [...new Set(own.map(([, value]) => JSON.stringify(value)))];
  const [[, value] = ['', {}]] = own;
  // Twenty currencies with the same value are a map.
  if (own.length > 8 && values.length === 1) return keysOf(value, `${at}.*`);
  const named = own.flatMap(([key, part]) => {
    const path = at === '' ? key : `${at}.${key}`;
    return [path, ...keysOf(part, path)];
  });
  return [...named, ...Object.values(schema.patternProperties ?? {}).flatMap((part) => keysOf(part, `${at}.*`))];
}

/** Key -> the file that reads it and how it does. */
type Readers = Record<string, readonly [file: string, expression: string]>;

const boot = (expression: string) => ['server/shell/boot-data.ts', expression] as const;
const theme = (expression: string) => ['server/shell/theme.ts', expression] as const;
const built = (expression: string) => [`${CONFIGURATION}/configuration.ts`, expression] as const;
const channel = (expression: string) => [`${CONFIGURATION}/types/channel-types.ts`, expression] as const;
const logins = (expression: string) => ['server/modules/accounts/logins/logins.ts', expression] as const;
const games = (expression: string) => ['server/modules/games/present.ts', expression] as const;
const shelf = (expression: string) => ['server/modules/catalogue/present.ts', expression] as const;
const listed = (expression: string) => ['server/modules/payments/rules.ts', expression] as const;
const option = (expression: string) => ['server/modules/payments/present.ts', expression] as const;
const windows = (expression: string) => [`${CONFIGURATION}/types/game-events-types.ts`, expression] as const;
const runs = (expression: string) => ['server/modules/offers/present.ts', expression] as const;
const events = (expression: string) => ['server/modules/events/present.ts', expression] as const;
const footer = (expression: string) => ['web/features/layout/Footer.tsx', expression] as const;
const legal = (expression: string) => ['web/platform/legal.ts', expression] as const;

const programme = (expression: string) => [`${CONFIGURATION}/types/vip-types.ts`, expression] as const;
const level = (expression: string) => ['server/modules/vip/present.ts', expression] as const;
const levelCoupon = (expression: string) => ['server/modules/vip/store.ts', expression] as const;

const promo = (expression: string) => [`${CONFIGURATION}/types/promo-types.ts`, expression] as const;
const promoTerms = (expression: string) => ['server/modules/codes/rules.ts', expression] as const;
const changes = (expression: string) => [`${CONFIGURATION}/types/price-change-types.ts`, expression] as const;
const firstTime = (expression: string) => ['server/modules/orders/placing/place-input.ts', expression] as const;

const BRAND: Readers = {
  name: boot('file.name'),
  title: boot('file.title'),
  theme: boot('file.theme'),
  look: boot('file.look'),
  'look.shift': theme('look.shift'),
  'look.tint': theme('look.tint'),
  'look.round': theme('look.round'),
  'look.corner': theme('look.corner'),
  'look.dense': theme('look.dense'),
  'look.voice': theme('look.voice'),
  'look.voiceWeight': theme('look.voiceWeight'),
  'look.voiceTrack': theme('look.voiceTrack'),
  'look.mode': theme('look.mode'),
  'look.stage': ['server/shell/render.ts', 'look.stage'],
  'look.card': ['server/shell/render.ts', 'look.card'],
  'look.coin': theme('look.coin'),
  version: boot('file.version'),
  isVip: games('brand.file.isVip'),
  vip: programme('vip }'),
  'vip.points': programme('vip.points'),
  'vip.points.*.amount': programme('rate.amount'),
  'vip.points.*.points': programme('rate.points'),
  'vip.levels': programme('vip.levels'),
  'vip.levels[].id': level('level.id'),
  'vip.levels[].name': level('level.name'),
  'vip.levels[].show': level('level.show'),
  'vip.levels[].needPoints': level('level.needPoints'),
  'vip.levels[].coupons': level('level.coupons'),
  'vip.levels[].coupons[].id': levelCoupon('coupon.id'),
  'vip.levels[].coupons[].type': levelCoupon('coupon.type'),
  'vip.levels[].coupons[].name': levelCoupon('coupon.name'),
  'vip.levels[].coupons[].rate': levelCoupon('coupon.rate'),
  'vip.levels[].coupons[].days': levelCoupon('coupon.days'),
  'vip.levels[].coupons[].minSpend': levelCoupon('coupon.minSpend'),
  'vip.levels[].coupons[].games': levelCoupon('coupon.games'),
  'vip.levels[].coupons[].products': levelCoupon('coupon.products'),
  'vip.faq': programme('vip.faq'),
  'vip.faq.title': level('faq.title'),
  'vip.faq.content': level('faq.content'),
  codes: promo('codes = []'),
  'codes[].code': promo('file.code'),
  'codes[].rate': promoTerms('file.rate'),
  'codes[].off': promo('file.off'),
  'codes[].minSpend': promo('file.minSpend'),
  'codes[].from': promo('file.from'),
  'codes[].until': promo('file.until'),
  'codes[].total': promoTerms('file.total'),
  'codes[].perPlayer': promoTerms('file.perPlayer'),
  'codes[].firstPurchase': promoTerms('file.firstPurchase'),
  'codes[].games': promoTerms('file.games'),
  'codes[].products': promoTerms('file.products'),
  'codes[].regions': promoTerms('file.regions'),
  'codes[].withCoupon': promoTerms('file.withCoupon'),
  'codes[].creator': promoTerms('file.creator'),
  'codes[].creator.id': promoTerms('file.creator.id'),
  'codes[].creator.share': promoTerms('file.creator.share'),
  hasStepBar: boot('file.hasStepBar'),
  hosts: built('file.hosts'),
  'hosts.live': built('file.hosts.live'),
  'hosts.demo': built('file.hosts.demo'),
  backupHosts: boot('file.backupHosts'),
  languages: boot('file.languages'),
  incompleteLanguages: [`${CONFIGURATION}/checks/check-texts-rules.ts`, 'brand.incompleteLanguages'],
  currency: built('file.currency'),
  ...Object.fromEntries(
    ['retention', ...BRAND_RETENTION.map((name) => `retention.${name}`)].map((key) => [
      key,
      ['server/modules/privacy/ends.ts', 'file.retention?.[keep]'] as const,
    ]),
  ),
  timeZone: [`${CONFIGURATION}/counting-zone-rules.ts`, 'brand.file.timeZone'],
  erasureDays: ['server/modules/privacy/service.ts', 'file.erasureDays'],
  regions: built('file.regions'),
  'regions.*.currency': built('entry.currency'),
  'regions.*.pricesIncludeTax': built('entry.pricesIncludeTax'),
  'regions.*.countries': built('entry.countries'),
  'regions.*.countries[].code': built('country.code'),
  'regions.*.countries[].currency': built('country.currency'),
  'regions.*.countries[].pricesIncludeTax': built('country.pricesIncludeTax'),
  clientRegions: ['server/modules/pricing/service.ts', 'file.clientRegions'],
  channels: channel('file.channels'),
  'channels.include': channel('channels?.include'),
  'channels.exclude': channel('channels?.exclude'),
  'channels.order': channel('file.channels?.order'),
  games: ['server/modules/games/service.ts', 'file.games'],
  accounts: ['server/modules/accounts/service.ts', 'file.accounts'],
  logins: boot('file.logins'),
  'logins.kinds': ['server/modules/accounts/logins/open-providers.ts', 'logins.kinds'],
  'logins.googleClientId': logins('logins.googleClientId'),
  'logins.googlePackage': logins('logins.googlePackage'),
  'logins.iosBundle': logins('logins.iosBundle'),
  'logins.appleServicesId': ['server/providers/identity/apple/provider.ts', 'appOf: ({ appleServicesId }) =>'],
  'logins.facebookAppId': logins('logins.facebookAppId'),
  'logins.vkAppId': logins('logins.vkAppId'),
  'logins.loginClient': logins('logins.loginClient'),
  'logins.ownName': ['web/features/accounts/providers/providers.ts', 'logins.ownName'],
  'logins.twitterRedirect': ['server/modules/accounts/logins/begin-login.ts', 'logins.twitterRedirect'],
  art: built('file.art'),
  'art.logo': boot('file.art.logo'),
  'art.icon': boot('file.art.icon'),
  'art.hero': built('{ hero, heroFocus } = file.art'),
  'art.heroFocus': built('toKeyArt(art, heroFocus)'),
  hero: boot('file.hero'),
  'hero.title': boot('file.hero.title'),
  'hero.text': boot('file.hero.text'),
  'hero.chip': boot('file.hero.chip'),
  money: ['server/modules/configuration/display.ts', 'brand.file.money'],
  links: boot('file.links'),
  'links.privacy': legal('links.privacy'),
  'links.terms': legal('links.terms'),
  'links.accountHelp': ['web/features/accounts/login/account-help.ts', 'brand.links.accountHelp'],
  'links.support': legal('links.support'),
  areas: boot('file.areas'),
  'areas.*.links': legal('area?.links'),
  'areas.*.links.privacy': legal('links.privacy'),
  'areas.*.links.terms': legal('links.terms'),
  'areas.*.links.support': legal('links.support'),
  'areas.*.notices': legal('area?.notices'),
  'areas.*.supportHours': legal('area?.supportHours'),
  'areas.*.confirmation': boot('confirmation: form'),
  'areas.*.ageCaps': ['server/modules/spending/service.ts', '?.ageCaps'],
  noticeItems: boot('file.noticeItems'),
  ...Object.fromEntries(
    NOTICES.flatMap((notice) => [
      [`noticeItems.${notice}`, boot('file.noticeItems?.[notice]')],
      ...NOTICE_ITEMS[notice].map((item) => [`noticeItems.${notice}.${item}`, boot('items?.[item]')]),
    ]),
  ),
  notices: boot('file.notices'),
  copyright: boot('file.copyright'),
  koreanBusiness: boot('file.koreanBusiness'),
  'koreanBusiness.company': footer('business.company'),
  'koreanBusiness.representative': footer('business.representative'),
  'koreanBusiness.registration': footer('business.registration'),
  'koreanBusiness.mailOrder': footer('business.mailOrder'),
  'koreanBusiness.address': footer('business.address'),
  'koreanBusiness.phone': footer('business.phone'),
  'koreanBusiness.email': footer('business.email'),
  supportHours: boot('file.supportHours'),
  banner: games('brand.file.banner'),
  walletSpends: ['server/modules/orders/placing/tender.ts', 'walletSpends'],
  realName: ['server/modules/spending/service.ts', 'file.realName'],
  tracking: boot('file.tracking'),
  'tracking.appId': boot('tracking.appId'),
  'tracking.eventId': boot('tracking.eventId'),
  'tracking.collection': boot('tracking.collection'),
  'tracking.collection.live': boot('tracking.collection?.[environment]'),
  'tracking.collection.demo': boot('tracking.collection?.[environment]'),
  needsTrackingConsent: boot('file.needsTrackingConsent'),
  legacyGet: ['server/platform/http/http.ts', 'site.legacyGet'],
  legacyQueryToken: ['server/platform/http/http.ts', 'site.legacyQueryToken'],
  embedParents: ['server/shell/frame-view.ts', 'file.embedParents'],
};

const GAME: Readers = {
  name: games('file.name'),
  code: ['server/shell/game-code.ts', 'code: own'],
  gpId: games('file.gpId'),
  clients: games('file.clients'),
  'clients.android': games('clients[platform]'),
  'clients.ios': games('clients[platform]'),
  'clients.web': games('clients.web'),
  subGames: games('file.subGames'),
  'subGames[].code': games('sub.code'),
  'subGames[].name': games('sub.name'),
  'subGames[].gpId': games('sub.gpId'),
  'subGames[].clientId': games('sub.clientId'),
  'subGames[].icon': games('sub.icon'),
  icon: games('file.icon'),
  art: built('file.art?.'),
  'art.hero': built("find('hero', file.art?.hero)"),
  'art.heroFocus': built('file.art?.heroFocus'),
  'art.currency': built('file.art?.currency'),
  timeZone: [`${CONFIGURATION}/counting-zone-rules.ts`, 'game.file.timeZone'],
  hasAreas: games('file.hasAreas'),
  languages: games('file.languages'),
  hasEntryCodes: ['server/compose.ts', 'file.hasEntryCodes'],
  links: games('file.links'),
  'links.terms': games('file.links.terms'),
  'links.privacy': games('file.links.privacy'),
  'links.accountHelp': games('file.links.accountHelp'),
  openLink: games('file.openLink'),
  isCouponOpen: games('file.isCouponOpen'),
  events: built('file.events'),
  'events[].id': windows('file.id'),
  'events[].kind': events('file.kind'),
  'events[].name': events('file.name'),
  'events[].text': events('file.text'),
  'events[].every': windows('{ every } = file'),
  'events[].from': windows('file.from'),
  'events[].until': windows('file.until'),
  'events[].receiveDays': windows('file.receiveDays'),
  'events[].brands': windows('file.brands'),
  'events[].regions': windows('file.regions'),
  'events[].least': windows('file.least'),
  'events[].beta': windows('file.beta'),
  'events[].steps': windows('file.steps'),
  'events[].steps[].id': events('step.id'),
  'events[].steps[].total': windows('step.total'),
  'events[].steps[].days': events('step.days'),
  'events[].steps[].items': windows('step.items'),
  'events[].steps[].items[].id': events('item.id'),
  'events[].steps[].items[].name': events('item.name'),
  'events[].steps[].items[].count': events('item.count'),
  'events[].steps[].items[].picture': windows('item.picture'),
  'events[].steps[].items[].art': events('item.art'),
  offers: built('file.offers'),
  'offers[].id': [`${CONFIGURATION}/types/offer-types.ts`, 'file.id'],
  'offers[].product': runs('file.product'),
  'offers[].name': runs('file.name'),
  'offers[].prices': [`${CONFIGURATION}/types/offer-types.ts`, 'file.prices'],
  'offers[].every': windows('{ every } = file'),
  'offers[].from': windows('file.from'),
  'offers[].until': windows('file.until'),
  'offers[].times': runs('file.times'),
  'offers[].after': runs('file.after'),
  'offers[].after.products': runs('file.after.products'),
  'offers[].after.minutes': runs('file.after.minutes'),
  'offers[].brands': windows('file.brands'),
  'offers[].regions': windows('file.regions'),
  'offers[].beta': windows('file.beta'),
  protocol: ['server/compose.ts', 'protocol ?? standardProtocol'],
  check: ['server/modules/orders/placing/place-and-pay.ts', 'file.check'],
  declined: ['server/modules/orders/service.ts', 'file.declined'],
  shelves: ['server/modules/catalogue/service.ts', 'file.shelves'],
  'shelves[].key': ['server/modules/catalogue/service.ts', 'shelf.key'],
  'shelves[].name': ['server/modules/catalogue/service.ts', 'shelf.name'],
  'shelves[].unit': ['server/modules/catalogue/service.ts', 'shelf.unit'],
  'shelves[].sort': ['server/modules/catalogue/service.ts', 'shelf.sort'],
  goods: built('file.goods'),
  'goods[].id': built('goods.id'),
  'goods[].name': ['server/modules/configuration/display.ts', 'localName ?? name'],
  'goods[].description': shelf('file.description'),
  'goods[].shelf': shelf('file.shelf'),
  'goods[].sort': shelf('file.sort'),
  'goods[].picture': built('goods.picture'),
  'goods[].art': shelf('file.art'),
  'goods[].tier': shelf('file.tier'),
  'goods[].amount': shelf('file.amount'),
  'goods[].prices': changes('prices'),
  'goods[].listPrices': changes('listPrices'),
  'goods[].countryPrices': changes('countryPrices'),
  'goods[].countryPrices.*.currency': built('readAmount(amount, currency)'),
  'goods[].countryPrices.*.amount': built('readAmount(amount, currency)'),
  'goods[].priceChanges': changes('priceChanges'),
  'goods[].priceChanges[].from': changes('instantOf(from)'),
  'goods[].priceChanges[].prices': changes('...prices'),
  'goods[].priceChanges[].listPrices': changes('...listPrices'),
  'goods[].priceChanges[].countryPrices': changes('...countryPrices'),
  'goods[].priceChanges[].countryPrices.*.currency': built('readAmount(amount, currency)'),
  'goods[].priceChanges[].countryPrices.*.amount': built('readAmount(amount, currency)'),
  'goods[].gifts': ['server/modules/catalogue/service.ts', 'file.gifts'],
  'goods[].gifts[].id': ['server/modules/catalogue/service.ts', 'gift.id'],
  'goods[].gifts[].name': ['server/modules/catalogue/service.ts', 'gift.name'],
  'goods[].gifts[].count': ['server/modules/catalogue/service.ts', 'gift.count'],
  'goods[].gifts[].isCurrency': ['server/modules/catalogue/present-offers.ts', 'gift.isCurrency'],
  'goods[].limit': ['server/modules/orders/placing/place-input.ts', '{ limit } = product.file'],
  'goods[].limit.type': ['server/modules/catalogue/rules.ts', 'limit.type'],
  'goods[].limit.times': ['server/modules/orders/placing/place-input.ts', 'limit.times'],
  'goods[].limit.days': ['server/modules/orders/placing/place-input.ts', 'limit.days'],
  'goods[].stock': ['server/modules/orders/placing/place-input.ts', 'file.stock'],
  'goods[].beta': ['server/modules/games/service.ts', 'file.beta'],
  'goods[].firstTime': firstTime('{ firstTime }'),
  'goods[].firstTime.gifts': firstTime('firstTime.gifts'),
  'goods[].firstTime.gifts[].id': firstTime('gift.id'),
  'goods[].firstTime.gifts[].name': firstTime('gift.name'),
  'goods[].firstTime.gifts[].count': firstTime('gift.count'),
  'goods[].firstTime.gifts[].isCurrency': firstTime('gift.isCurrency'),
  'goods[].firstTime.season': firstTime('firstTime.season'),
  'goods[].isSpecial': shelf('file.isSpecial'),
  'goods[].isCoupon': shelf('file.isCoupon'),
};

const shared: Readers = {
  channelId: option('file.channelId'),
  method: ['server/modules/payments/methods-rules.ts', 'sub?.method ?? channel.method'],
  name: ['server/modules/payments/method-texts.ts', 'entry.file.name'],
  icon: listed('file.icon'),
  sort: option('file.sort'),
  bounds: channel('readBounds('),
  'bounds.*.min': channel('min: read(min, currency)'),
  'bounds.*.max': channel('max: read(max, currency)'),
  hint: option('entry.file.hint'),
  openCoupon: ['server/modules/orders/placing/place-order.ts', 'file.openCoupon'],
};
const below = (at: string, readers: Readers): Readers =>
  Object.fromEntries(Object.entries(readers).map(([key, reader]) => [`${at}.${key}`, reader]));

const CHANNELS: Readers = {
  methods: built('methods'),
  'methods[].key': ['server/modules/payments/method-texts.ts', '{ key, label, name }: Method'],
  'methods[].label': ['server/modules/payments/method-texts.ts', '`method.${label}`'],
  'methods[].name': ['server/modules/payments/method-texts.ts', 'name ?? { en: key }'],
  'methods[].mark': option('method.mark'),
  'methods[].networks': option('method.networks'),
  'methods[].countries': ['server/modules/payments/methods-rules.ts', '{ countries } = method'],
  'methods[].device': option('method.device'),
  'methods[].hint': option('method.hint'),
  channels: built('channels.channels'),
  ...below('channels[]', shared),
  'channels[].id': option('file.id'),
  'channels[].payway': option('file.payway'),
  'channels[].provider': listed('file.provider'),
  'channels[].payPath': ['server/modules/payments/service.ts', 'file.payPath'],
  'channels[].regions': listed('file.regions'),
  'channels[].countries': listed('file.countries'),
  'channels[].currencies': listed('file.currencies'),
  'channels[].iosOnly': listed('file.iosOnly'),
  'channels[].brands': channel('channel.brands'),
  'channels[].sub': built('file.sub'),
  ...below('channels[].sub[]', shared),
};

const KINDS: [string, Schema, Readers][] = [
  ['brand', BrandFile as unknown as Schema, BRAND],
  ['game', GameFile as unknown as Schema, GAME],
  ['channels', ChannelsFile as unknown as Schema, CHANNELS],
];

test.each(KINDS)('every key of a %s file is read by somebody', (_kind, schema, readers) => {
  expect(Object.keys(readers).toSorted()).toEqual(keysOf(schema).toSorted());
});

test.each(KINDS)('who reads a key of a %s file does so', (_kind, _schema, readers) => {
  const missing = Object.entries(readers).filter(([, [file, expression]]) => {
    const path = join(ROOT, file);
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(expression);
  });
  expect(missing).toEqual([]);
});

test('the keys of a schema are found at every depth', () => {
  const found = new Set(KINDS.flatMap(([, schema]) => keysOf(schema)));
  for (const key of ['goods[].limit.days', 'regions.*.countries[].code', 'channels[].sub[].bounds.*.max', 'look.stage'])
    expect(found).toContain(key);
});
