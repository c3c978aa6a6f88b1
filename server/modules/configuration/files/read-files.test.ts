import { NOTICE_ITEMS } from '#contracts/notices.ts';
import { GOODS_DRAWINGS } from '#contracts/game-file.ts';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Currency } from '#kernel/money.ts';
import { readFiles } from './read-files.ts';

const fixture = join(import.meta.dirname, '..', '..', '..', '..', 'testing', 'fixtures', 'configuration');
const providers = [
  { name: 'adyen', supportsCurrency: (currency: Currency) => currency !== 'RUB' },
  { name: 'xsolla', supportsCurrency: () => true },
];
const [ALPHA, BETA] = ['brands/alpha/brand.yaml', 'brands/beta/brand.yaml'];
const [QUEST, CHANNELS] = ['games/quest/game.yaml', 'channels/channels.yaml'];
let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-faults-'));
  await cp(fixture, root, { recursive: true });
});

afterEach(() => rm(root, { recursive: true }));

/** Replaces `from`, which must be there once, in a file of the copy. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(join(root, file), 'utf8');
  expect(text.split(from)).toHaveLength(2);
  await writeFile(
    join(root, file),
    text.replace(from, () => to),
  );
}

async function faults(): Promise<string[]> {
  const read = await readFiles(root, { providers, logins: [] });
  return read.ok ? [] : read.faults.map((fault) => fault.sentence);
}

test('takes the fixture as it is, without a warning', async () => {
  expect(await readFiles(root, { providers })).toMatchObject({ ok: true, warnings: [] });
});

type Case = [what: string, file: string, from: string, to: string, ...sentences: string[]];

const shape: Case[] = [
  [
    'a short colour',
    ALPHA,
    "'#5B6CFF'",
    "'#12'",
    `${ALPHA}:3: theme: "#12" is not a six-digit hex colour; write e.g. "#5B6CFF"`,
  ],
  [
    'a colour in words',
    ALPHA,
    "'#5B6CFF'",
    "'blue'",
    `${ALPHA}:3: theme: "blue" is not a six-digit hex colour; write e.g. "#5B6CFF"`,
  ],
  ['a missing field', ALPHA, 'version: new\n', '', `${ALPHA}:1: version: is missing; add it`],
  [
    'a misspelt field',
    ALPHA,
    'isVip',
    'isVIP',
    `${ALPHA}:1: isVip: is missing; add it`,
    `${ALPHA}:6: isVIP: is not known here; did you mean "isVip"?`,
  ],
  [
    'an unknown field',
    ALPHA,
    'currency: USD',
    'coins: 3',
    `${ALPHA}:19: regions.useuro.countries[US].coins: is not known here; known are code, currency, pricesIncludeTax`,
  ],
  [
    'an unknown currency',
    ALPHA,
    'currency: EUR',
    'currency: EURO',
    expect.stringMatching(
      /^brands\/alpha\/brand\.yaml:13: currency: "EURO" is not a currency code of ISO 4217; did you mean "EUR"\?$/,
    ),
  ],
  [
    'an unknown price currency',
    QUEST,
    "JPY: '160'",
    "YEN: '160'",
    expect.stringMatching(
      /^games\/quest\/game\.yaml:26: goods\[quest_60\]\.prices\.YEN: is not a currency code of ISO 4217; write e\.g\. "USD"$/,
    ),
  ],
  [
    'a price without quotes',
    QUEST,
    "USD: '0.99'",
    'USD: 0.99',
    `${QUEST}:26: goods[quest_60].prices.USD: 0.99 is not text; put it in quotes, e.g. "4.99"`,
  ],
  [
    'a price below zero',
    QUEST,
    "USD: '0.99'",
    "USD: '-1'",
    `${QUEST}:26: goods[quest_60].prices.USD: "-1" is not a decimal amount; write e.g. "4.99"`,
  ],
  [
    'a client id without quotes',
    QUEST,
    "web: '80013'",
    'web: 80013',
    `${QUEST}:4: clients.web: 80013 is not text; put it in quotes, e.g. "70011"`,
  ],
  [
    'a word for a flag',
    ALPHA,
    'isVip: false',
    'isVip: maybe',
    `${ALPHA}:6: isVip: "maybe" is not true or false; write true or false`,
  ],
  [
    'an empty field',
    ALPHA,
    'currency: EUR',
    'currency:',
    expect.stringMatching(
      /^brands\/alpha\/brand\.yaml:13: currency: null is not a currency code of ISO 4217; write e\.g\. "USD"$/,
    ),
  ],
  ['an empty text', ALPHA, 'name: Alpha', "name: ''", `${ALPHA}:1: name: is empty; write at least one character`],
  [
    'a number out of range',
    ALPHA,
    'shift: 0',
    'shift: 400',
    `${ALPHA}:4: look.shift: 400 is too large; 180 is the most`,
  ],
  ['an empty list', ALPHA, '[de, en]', '[]', `${ALPHA}:12: languages: is empty; list at least one entry`],
  ['a language twice', ALPHA, '[de, en]', '[de, en, de]', `${ALPHA}:12: languages: lists "de" twice; remove one`],
  ['no English', ALPHA, '{ en: Hello, de: Hallo }', '{ de: Hallo }', `${ALPHA}:28: hero.title.en: is missing; add it`],
  [
    'a plain http link',
    ALPHA,
    'https://www.alpha.example/terms',
    'http://www.alpha.example/terms',
    `${ALPHA}:34: links.terms: "http://www.alpha.example/terms" is not an address beginning with https://; write ` +
      'e.g. "https://www.watt.example/terms"',
  ],
  ['an alias', ALPHA, 'theme: ', 'theme: *blue #', `${ALPHA}:3: "*blue" is an alias; write the value itself`],
  [
    'a key written twice',
    ALPHA,
    'isVip: false',
    'isVip: false\nisVip: true',
    `${ALPHA}:7: Map keys must be unique; correct the YAML`,
  ],
  [
    'a bracket left open',
    ALPHA,
    'live: [pay.alpha.example]',
    'live: [pay.alpha.example',
    expect.stringMatching(/^brands\/alpha\/brand\.yaml:1\d: .*; correct the YAML$/),
  ],
];

const brand: Case[] = [
  [
    'a host of another brand',
    BETA,
    'pay.beta.example',
    'pay.alpha.example',
    `${BETA}:9: hosts.live[0]: the host "pay.alpha.example" is used already (brand alpha); a host belongs to one ` +
      'brand, once',
  ],
  [
    'a backup host that is taken',
    BETA,
    'backupHosts: []',
    'backupHosts: [pay.beta.example]',
    `${BETA}:11: backupHosts[0]: the host "pay.beta.example" is used already (brand beta); a host belongs to one ` +
      'brand, once',
  ],
  [
    'the demo host every brand has',
    BETA,
    'demo.beta.example',
    'alpha.demo.localhost',
    `${BETA}:10: hosts.demo[0]: the host "alpha.demo.localhost" is used already (the demo host that every brand ` +
      'has, here of alpha); a host belongs to one brand, once',
  ],
  [
    'a live host that says demo',
    ALPHA,
    'pay.alpha.example',
    'demo-pay.alpha.example',
    `${ALPHA}:9: hosts.live[0]: "demo-pay.alpha.example" contains "demo", so payments would go to sandboxes; ` +
      'rename it or move it to hosts.demo',
  ],
  [
    'a demo host that does not',
    ALPHA,
    'demo.alpha.example',
    'test.alpha.example',
    `${ALPHA}:10: hosts.demo[0]: "test.alpha.example" does not contain "demo", so real money would be taken; ` +
      'rename it or move it to hosts.live',
  ],
  [
    'a time zone that is none',
    ALPHA,
    'Europe/Berlin',
    'Europe/Bonn',
    `${ALPHA}:14: timeZone: "Europe/Bonn" is no name of a time zone; write an IANA name, e.g. "Asia/Tokyo"`,
  ],
  [
    'a time zone of a game that is none',
    QUEST,
    'hasAreas: false',
    'hasAreas: false\ntimeZone: Europe/Bonn',
    `${QUEST}:9: timeZone: "Europe/Bonn" is no name of a time zone; write an IANA name, e.g. "Asia/Tokyo"`,
  ],
  [
    'an offset in place of a time zone',
    ALPHA,
    'Europe/Berlin',
    '+09:00',
    `${ALPHA}:14: timeZone: "+09:00" is no name of a time zone; write an IANA name, e.g. "Asia/Tokyo"`,
  ],
  [
    'data about persons that is kept for too long',
    ALPHA,
    'Europe/Berlin',
    'Europe/Berlin\nretention: { visits: 800 }',
    `${ALPHA}:15: retention.visits: keeps moments of visits, where the brand measures them for 800 days; what ` +
      'measures an audience is kept for 25 months at most (CNIL, guidelines on cookies and other trackers, article ' +
      '5); write 1 to 760',
  ],
  [
    'data about persons that is kept for too short a time',
    ALPHA,
    'Europe/Berlin',
    'Europe/Berlin\nretention: { callbacks: 3 }',
    `${ALPHA}:15: retention.callbacks: keeps callbacks of payment providers, masked, and samples of refused ones ` +
      'for 3 days; providers repeat callbacks for days, and a repeated one must be known; write 7 to 540',
  ],
  [
    'accounts of its own that no module knows',
    ALPHA,
    'kinds: [google]',
    'kinds: [own]\n  ownName: Alpha ID',
    `${ALPHA}:24: logins.kinds[0]: needs a module that brings a login of the kind own; name it in modules.yaml`,
  ],
  [
    'accounts of its own without a name',
    ALPHA,
    'kinds: [google]',
    'kinds: [google, own]',
    `${ALPHA}:24: logins.kinds[1]: has no name that players read; write logins.ownName`,
  ],
  [
    'L49 steps in a version that has none',
    ALPHA,
    'hasStepBar: false',
    'hasStepBar: true',
    `${ALPHA}:7: hasStepBar: only the classic version has steps; write false, or version: classic`,
  ],
  [
    'a game that is not there',
    BETA,
    'games: [quest]',
    'games: [quest, chess]',
    `${BETA}:19: games[1]: there is no games/chess/game.yaml; correct the id or add the game`,
  ],
  [
    'no region at all',
    BETA,
    'regions:\n  useuro:\n    countries:\n      - { code: DE }\n',
    'regions: {}\n',
    `${BETA}:15: regions: names no payment region; add at least one, e.g. universal`,
  ],
  [
    'GLOBAL as a country',
    BETA,
    '{ code: DE }',
    '{ code: GLOBAL }',
    `${BETA}:18: regions.useuro.countries[GLOBAL].code: GLOBAL is no country a player pays from; list the ` +
      'countries themselves',
  ],
  [
    'a country twice',
    BETA,
    '- { code: DE }',
    '- { code: DE }\n      - { code: DE }',
    `${BETA}:19: regions.useuro.countries[DE].code: DE is listed twice in useuro; remove one`,
  ],
  [
    'a client region it does not sell in',
    ALPHA,
    "'80011': useuro",
    "'80011': sea",
    `${ALPHA}:21: clientRegions.80011: the brand does not sell in sea; add it to regions or choose another`,
  ],
  [
    'a client region of a stranger',
    ALPHA,
    "'80011': useuro",
    "'80099': useuro",
    `${ALPHA}:21: clientRegions.80099: no game of this brand has the client id 80099; known are 80011, 80013, 80021`,
  ],
  [
    'a picture that is not there',
    ALPHA,
    'hero: mark.svg',
    'hero: sky.svg',
    `${ALPHA}:26: art.hero: brands/alpha/assets/sky.svg does not exist; add the picture or correct the name`,
  ],
  [
    'a banner that is not there',
    ALPHA,
    '[mark.svg]',
    '[mark.svg, sky.svg]',
    `${ALPHA}:31: banner.de[1]: brands/alpha/assets/sky.svg does not exist; add the picture or correct the name`,
  ],
];

const places: Case[] = [
  [
    'a region that nobody knows',
    BETA,
    'useuro:',
    'useuroo:',
    `${BETA}:16: regions.useuroo: there is no payment region "useuroo"; did you mean "useuro"? Else name it in ` +
      'regions/regions.yaml under regions',
  ],
  [
    'a country that nobody knows',
    BETA,
    '{ code: DE }',
    '{ code: XK }',
    `${BETA}:18: regions.useuro.countries[XK].code: there is no country "XK"; name it in regions/regions.yaml ` +
      'under countries',
  ],
  [
    'a country in words',
    BETA,
    '{ code: DE }',
    '{ code: Germany }',
    `${BETA}:18: regions.useuro.countries[Germany].code: "Germany" is not a country code of ISO 3166-1; write ` +
      'e.g. "BR"',
  ],
];

const parents: Case[] = [
  'https://*',
  'https://*.alpha.example',
  'https://a;sandbox',
  'https://a.example;sandbox',
  'https://a.example/',
  'https://a.example/sdk',
  'https://a.example?x',
  'https://u@a.example',
  'https://A.example',
  'https://a.example:443',
  'https://a.example,https://b.example',
].map((parent) => [
  `the frame parent ${parent}`,
  ALPHA,
  'embedParents: []',
  `embedParents: ['${parent}']`,
  `${ALPHA}:42: embedParents[0]: "${parent}" is no exact https origin; write scheme and host alone, e.g. ` +
    '"https://sdk.watt.example"',
]);

const game: Case[] = [
  [
    'a client id twice',
    QUEST,
    "clientId: '80021'",
    "clientId: '80013'",
    `${QUEST}:6: subGames[east].clientId: the client id 80013 is used already (game quest); give this one its own`,
  ],
  [
    'a gp id twice',
    QUEST,
    "gpId: '8002'",
    "gpId: '8001'",
    `${QUEST}:6: subGames[east].gpId: the game product id 8001 is used already (game quest); give this one its own`,
  ],
  [
    'a code twice',
    QUEST,
    'code: east',
    'code: quest',
    `${QUEST}:6: subGames[quest].code: the code "quest" is used already (game quest); give this one its own`,
  ],
  [
    'a product id twice',
    QUEST,
    'id: quest_week',
    'id: quest_60',
    `${QUEST}:30: goods[quest_60].id: the product id "quest_60" is used twice; rename one`,
  ],
  [
    'a unit without a form of its language',
    QUEST,
    'de: Edelstein }',
    "de: '{n, plural, other {Edelsteine}}' }",
    `${QUEST}:17: shelves[gems].unit.de: lacks the form "one" of de; write {n, plural, other {...} one {...}}`,
  ],
  [
    'goods that nothing names',
    QUEST,
    '    name: { en: Weekly pack, de: Wochenpaket }\n',
    '',
    `${QUEST}:30: goods[quest_week].name: is missing; add it, or an amount that the unit of the shelf counts`,
  ],
  [
    'a shelf twice',
    QUEST,
    'sort: 10 }\ngoods',
    'sort: 10 }\n  - { key: gems, name: { en: Gems, de: Gems }, unit: { en: Gem, de: Gem }, sort: 20 }\ngoods',
    `${QUEST}:18: shelves[gems].key: the shelf "gems" is there twice; rename one`,
  ],
  [
    'a shelf that is not there',
    QUEST,
    'shelf: gems\n    sort: 20',
    'shelf: packs\n    sort: 20',
    `${QUEST}:32: goods[quest_week].shelf: there is no shelf "packs"; known are gems`,
  ],
  [
    'an icon that is not there',
    QUEST,
    '\nicon: icon.svg',
    '\nicon: logo.svg',
    `${QUEST}:7: icon: games/quest/assets/logo.svg does not exist; add the picture or correct the name`,
  ],
  [
    'a drawing of goods that is not there',
    QUEST,
    'art: item-pack',
    'art: item-chest',
    `${QUEST}:34: goods[quest_week].art: "item-chest" is not allowed; known are ${GOODS_DRAWINGS.join(', ')}`,
  ],
  [
    'a time limit without days',
    QUEST,
    ', days: 7',
    '',
    `${QUEST}:37: goods[quest_week].limit: the type time counts within a number of days; add days, e.g. days: 7`,
  ],
  [
    'days on another limit',
    QUEST,
    'type: time',
    'type: role',
    `${QUEST}:37: goods[quest_week].limit.days: the type role knows no days; remove days or write type: time`,
  ],
  [
    'a price of zero',
    QUEST,
    "JPY: '160'",
    "JPY: '0'",
    `${QUEST}:26: goods[quest_60].prices.JPY: "0" gives the product away; write a price above zero`,
  ],
  [
    'a yen price with sen',
    QUEST,
    "JPY: '160'",
    "JPY: '160.5'",
    `${QUEST}:26: goods[quest_60].prices.JPY: "160.5" has more decimals than JPY knows (0); round it`,
  ],
  [
    'a price with a third decimal',
    QUEST,
    "USD: '0.99'",
    "USD: '0.999'",
    `${QUEST}:26: goods[quest_60].prices.USD: "0.999" has more decimals than USD knows (2); round it`,
  ],
  [
    'a price that is too large',
    QUEST,
    "USD: '0.99'",
    "USD: '99999999999999'",
    `${QUEST}:26: goods[quest_60].prices.USD: "99999999999999" is too large; 12 digits before the point are the most`,
  ],
  [
    'a country price of zero',
    QUEST,
    "amount: '0.89'",
    "amount: '0.00'",
    `${QUEST}:29: goods[quest_60].countryPrices.DE.amount: "0.00" gives the product away; write a price above zero`,
  ],
  [
    'a list price not above the price',
    QUEST,
    "{ USD: '1.99' }",
    "{ USD: '0.99' }",
    `${QUEST}:27: goods[quest_60].listPrices.USD: "0.99" is not above the price "0.99"; a list price is the ` +
      'price before a reduction',
  ],
  [
    'a list price for nothing',
    QUEST,
    "{ USD: '1.99' }",
    "{ TWD: '60' }",
    `${QUEST}:27: goods[quest_60].listPrices.TWD: there is no price in TWD to strike it through for; add one to prices`,
  ],
  [
    'a price missing where a brand charges',
    QUEST,
    "{ USD: '2.99', EUR: '2.99' }",
    "{ EUR: '2.99' }",
    `${QUEST}:36: goods[quest_week].prices.USD: has no price, but brand alpha charges USD in useuro, US; add one`,
  ],
];

const channels: Case[] = [
  [
    'a channel id twice',
    CHANNELS,
    'id: local',
    'id: card',
    `${CHANNELS}:16: channels[card].id: the channel id "card" is used twice; rename one`,
  ],
  [
    'a pay call that is not there',
    CHANNELS,
    'payPath: adyen_pay',
    'payPath: adyen',
    expect.stringMatching(
      /^channels\/channels\.yaml:5: channels\[card\]\.payPath: there is no pay call "adyen"; known are .*adyen_pay/,
    ),
  ],
  [
    'a provider that is not there',
    CHANNELS,
    'provider: adyen',
    'provider: acme',
    `${CHANNELS}:4: channels[card].provider: there is no provider "acme"; known are adyen, xsolla`,
  ],
  [
    'a currency its provider does not take',
    CHANNELS,
    '[EUR, USD]',
    '[EUR, USD, RUB]',
    `${CHANNELS}:12: channels[card].currencies[2]: adyen does not take RUB; remove it`,
  ],
  [
    'a brand that is not there',
    CHANNELS,
    'countries: [DE]',
    'countries: [DE]\n    brands: [gamma]',
    `${CHANNELS}:26: channels[local].brands[0]: there is no brands/gamma/brand.yaml; correct the key or add the brand`,
  ],
  [
    'an icon that is not there',
    CHANNELS,
    'name: { en: Bank, de: Bank }, icon: card.svg',
    'name: { en: Bank, de: Bank }, icon: bank.svg',
    `${CHANNELS}:29: channels[local].sub[0].icon: channels/assets/bank.svg does not exist; add the picture or ` +
      'correct the name',
  ],
  [
    'a min above the max',
    CHANNELS,
    "min: '0.50'",
    "min: '501'",
    `${CHANNELS}:14: channels[card].bounds.EUR.min: "501" is above the max "500", so the channel would never ` +
      'show; swap them',
  ],
  [
    'a bound that is no amount',
    CHANNELS,
    "max: '500'",
    "max: 'none'",
    `${CHANNELS}:14: channels[card].bounds.EUR.max: "none" is not a decimal amount; write e.g. "4.99"`,
  ],
  [
    'a sub-channel twice',
    CHANNELS,
    "channelId: '2'",
    "channelId: '1'",
    `${CHANNELS}:30: channels[local].sub[1].channelId: "1" is listed twice in this channel; remove one`,
  ],
];

const METHODS = `methods:
  - { key: plastic, label: card, mark: card.svg }
channels:
`;

const methods: Case[] = [
  [
    'a method nobody knows',
    CHANNELS,
    'name: { en: Card',
    'method: plastik\n    name: { en: Card',
    `${CHANNELS}:9: channels[card].method: there is no method "plastik"; did you mean "plastic"?`,
  ],
  [
    'a method with label and name',
    CHANNELS,
    'label: card,',
    'label: card, name: { en: Card },',
    `${CHANNELS}:2: methods[plastic]: needs a label or a name, one of the two: a word that every language has, ` +
      'or a name of its own',
  ],
  [
    'a mark that is not there',
    CHANNELS,
    'mark: card.svg',
    'mark: visa.svg',
    `${CHANNELS}:2: methods[plastic].mark: channels/assets/visa.svg does not exist; add the picture or ` +
      'correct the name',
  ],
  [
    'a hint that is not there',
    CHANNELS,
    'mark: card.svg',
    'mark: card.svg, hint: fast',
    expect.stringMatching(
      /^channels\/channels\.yaml:2: methods\[plastic\]\.hint: "fast" is not allowed; known are app, /,
    ),
  ],
];

test.each(methods)('tells %s', async (_, file, from, to, ...sentences) => {
  await edit(CHANNELS, 'channels:\n', METHODS);
  await edit(file, from, to);
  expect(await faults()).toEqual(sentences);
});

test('tells a method twice, one that nothing leads from, and a channel nobody could name', async () => {
  await edit(CHANNELS, 'name: { en: Local, de: Vor Ort }', 'hint: cash');
  expect(await faults()).toEqual([
    `${CHANNELS}:16: channels[local]: has neither a name nor a method; add the method that it is a way of`,
  ]);
  await edit(CHANNELS, 'hint: cash', 'name: { en: Local, de: Vor Ort }');
  await edit(
    CHANNELS,
    'channels:\n',
    METHODS.replace('channels:', '  - { key: plastic, label: other, mark: card.svg }\nchannels:'),
  );
  expect(await faults()).toEqual([
    `${CHANNELS}:3: methods[plastic].key: the method "plastic" is there twice; rename one`,
  ]);
  const read = await readFiles(root, { providers, logins: [] });
  expect(read.warnings.map(({ sentence }) => sentence)).toContain(
    `${CHANNELS}:2: methods[plastic]: no channel leads from it, so it is never shown`,
  );
});

test('tells what a brand says wrong of its channels', async () => {
  await edit(ALPHA, 'games:', 'channels: { include: [card, lokal], exclude: [card], order: [local] }\ngames:');
  const found = (await faults()).map((sentence) => sentence.replace(/^.*?: /, ''));
  expect(found).toEqual([
    'channels.include[1]: there is no channel "lokal"; did you mean "local"?',
    'channels.order[0]: the brand does not offer "local", so it has no place; remove it here',
    'channels.exclude[0]: "card" is included above; keep it in one of the lists',
  ]);
});

const at = (line: number, field: string) => `${QUEST}:${line}: events[${field}`;
const events: Case[] = [
  ['an event twice', QUEST, 'id: streak', 'id: total', at(52, 'total].id: the event "total" is there twice; rename one')],
  ['a step that is a product', QUEST, 'id: total_1', 'id: quest_60', at(46, 'total].steps[quest_60].id: "quest_60" is a product or another step; the game tells grants apart by it, so rename it')],
  ['a moment that is none', QUEST, "'2026-11-01'", "'2026-11-31'", at(42, 'total].from: "2026-11-31" is no moment of a calendar; write e.g. "2026-12-01 10:00"')],
  ['a window that ends before it begins', QUEST, "'2026-11-01'", "'2026-12-01 10:00'", at(43, 'total].until: "2026-12-01 10:00" is not after from, "2026-12-01 10:00"')],
  ['a window without an end', QUEST, "    until: '2026-12-01 10:00'\n", '', at(40, 'total].until: is missing; add it, or let it begin anew with every: month')],
  ['a step below the one before', QUEST, "USD: '9.99', EUR: '9.99', JPY: '1600'", "USD: '4.99', EUR: '9.99', JPY: '1600'", at(50, 'total].steps[total_2].total.USD: "4.99" is not above the step before, "4.99"')],
  ['a total of nothing', QUEST, "{ USD: '4.99', EUR: '4.99', JPY: '800' }", "{ USD: '0.00', EUR: '4.99', JPY: '800' }", at(47, 'total].steps[total_1].total.USD: "0.00" gives the product away; write a price above zero')],
  ['days of a total', QUEST, "        total: { USD: '4.99'", "        days: 2\n        total: { USD: '4.99'", at(47, 'total].steps[total_1].days: a cumulative event counts money; remove it')],
  ['a streak without days', QUEST, '        days: 2\n', '', at(59, 'streak].steps[days_2].days: is missing; add it, e.g. days: 3')],
  ['a currency that is charged and not counted', QUEST, "EUR: '4.99', JPY: '800'", "JPY: '800'", expect.stringContaining('events[total].steps[total_1].total.EUR: has no amount, but brand')],
  ['a brand that does not sell the game', QUEST, 'brands: [alpha]', 'brands: [gamma]', at(55, 'streak].brands[0]: no brand "gamma" sells this game; those that do are alpha, beta')],
  ['a region where nobody sells it', QUEST, 'brands: [alpha]', 'brands: [alpha]\n    regions: [mea]', expect.stringContaining('streak].regions[0]: the game is not sold in mea; it is in')],
  ['a form that a count never has', QUEST, 'name: { en: Gems, de: Edelsteine }, count: 5', "name: { en: '{n, plural, one {Gem}}', de: Edelsteine }, count: 5", expect.stringContaining('events[streak].steps[days_2].items[gem].name.en')],
]; /* a row a line */ // prettier-ignore

test.each([...shape, ...brand, ...places, ...parents, ...game, ...channels, ...events])(
  'tells %s',
  async (_, file, from, to, ...sentences) => {
    await edit(file, from, to);
    expect(await faults()).toEqual(sentences);
  },
);

test.each([
  ['consent without tracking', /^tracking: .*$/m, '', `${ALPHA}:38: needsTrackingConsent: asks about tracking, and there is none; add tracking or write false`],
  ['an area of another brand', 'notices: []', 'notices: []\nareas: { kr: { supportHours: 9-17 } }', `${ALPHA}:36: areas.kr: the brand does not sell in kr; add it to regions or remove it`],
  ['items of a notice that nobody sees', 'notices: []', 'notices: []\nnoticeItems: { trade: { seller: { en: Seller, de: Seller } } }', `${ALPHA}:36: noticeItems.trade: no footer shows trade; add it to notices or remove the items`],
  ['a notice without what the law wants', 'notices: []', 'notices: [inquiry]', `${ALPHA}:35: notices: the notice inquiry lacks contact, which the law wants said; write noticeItems.inquiry.contact`],
  ['a notice without one of its items', 'notices: []', `notices: [trade]\nnoticeItems: { trade: { ${NOTICE_ITEMS.trade.filter((item) => item !== 'telephone').map((item) => `${item}: { en: S, de: S }`).join(', ')} } }`, `${ALPHA}:36: noticeItems.trade: the notice trade lacks telephone, which the law wants said; write noticeItems.trade.telephone`],
  ['caps of minors where other money is taken', 'notices: []', 'notices: []\nareas: { useuro: { ageCaps: japan } }', `${ALPHA}:36: areas.useuro.ageCaps: the caps are in JPY, and useuro sells in EUR; sell in JPY alone there`],
  ['hours of no service', 'notices: []', "notices: []\nsupportHours: '9-17'", `${ALPHA}:36: supportHours: tells hours of a service that no link leads to; add links.support or remove them`],
])('L51 L53 refuses %s', async (_what, from, to, sentence) => {
  const path = join(root, ALPHA);
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
  expect(await faults()).toEqual([sentence]);
}); /* a row a line */ // prettier-ignore

test('tells two channels that a visitor could not tell apart, and only where they meet', async () => {
  await edit(CHANNELS, "payway: '11001'", "payway: '12101'");
  await edit(CHANNELS, "channelId: ''", 'channelId: scheme');
  expect(await faults()).toEqual([
    `${CHANNELS}:16: channels[local]: has the same key 12101_scheme as "card" where both are offered; give one ` +
      'another channelId or part their countries',
  ]);
  await edit(CHANNELS, '[GLOBAL]', '[US]');
  expect(await faults()).toEqual([]);
});

test('takes zero as "no bound", so nothing is above it', async () => {
  await edit(CHANNELS, "max: '500'", "max: '0'");
  expect(await faults()).toEqual([]);
});

test('tells a folder without its file, and files that are not there at all', async () => {
  await mkdir(join(root, 'brands', 'gamma'));
  await rm(join(root, CHANNELS));
  expect(await faults()).toEqual([
    'brands/gamma/brand.yaml:1: is missing; add it or remove its folder',
    `${CHANNELS}:1: is missing; add it or remove its folder`,
  ]);
});

test('tells files of nearly the right name, in the place of the right one and beside it', async () => {
  await rename(join(root, ALPHA), join(root, 'brands/alpha/brand.yml'));
  await writeFile(join(root, 'brands/beta/brand.yml'), 'name: Beta');
  await writeFile(join(root, 'games/quest/game.yml'), '');
  await mkdir(join(root, 'regions'));
  await writeFile(join(root, 'regions/regions.yml'), '');
  await writeFile(join(root, 'modules.yml'), '');
  const read = await readFiles(root, { providers, logins: [] });
  expect(read.ok ? [] : read.faults.map(({ sentence }) => sentence)).toEqual([
    'brands/alpha/brand.yml:1: is not read; name it brand.yaml',
    'modules.yml:1: is not read; name it modules.yaml',
    'regions/regions.yml:1: is not read; name it regions.yaml',
  ]);
  expect(read.warnings.map(({ sentence }) => sentence)).toEqual([
    'brands/beta/brand.yml:1: is not read, for brand.yaml is there too; remove one of them',
    'games/quest/game.yml:1: is not read, for game.yaml is there too; remove one of them',
  ]);
});

test('tells links, which are not followed, where a file needs what they lead to', async () => {
  const elsewhere = join(root, 'elsewhere');
  await mkdir(elsewhere);
  const assets = join(root, 'brands/alpha/assets');
  const names = await readdir(assets);
  for (const name of names) {
    await rename(join(assets, name), join(elsewhere, name));
    await symlink(join(elsewhere, name), join(assets, name));
  }
  await symlink(elsewhere, join(root, 'brands/gamma'));
  await symlink(elsewhere, join(root, 'games/quest/assets/linked'));
  await edit(QUEST, 'art: item-pack', 'art: item-pack\n    picture: linked/mark.svg');
  const read = await readFiles(root, { providers, logins: [] });
  const reasons = read.ok ? [] : read.faults.map(({ reason }) => reason);
  expect(reasons).toContain(
    'brands/alpha/assets/mark.svg is a symbolic link, and links are not followed; copy the file there',
  );
  expect(reasons).toContain(
    'games/quest/assets/linked is a symbolic link, and links are not followed; copy the folder there',
  );
  expect(reasons.filter((reason) => reason.includes('does not exist'))).toEqual([]);
  expect(read.warnings.map(({ sentence }) => sentence)).toContain(
    'brands/gamma:1: is not read, for links are not followed; copy the folder here',
  );
});

test('tells a file that cannot be read', async () => {
  await rm(join(root, BETA));
  await mkdir(join(root, BETA));
  expect(await faults()).toEqual([`${BETA}:1: cannot be read (EISDIR); let the account of this process read the file`]);
});

const drawing = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">\n${inner}</svg>`;

test.each([
  ['a script', '<script>alert(1)</script>', '<script>: is no element of a plain drawing'],
  ['an event handler', '<path onclick="alert(1)" d=""/>', '<path onclick>: would run a script; remove it'],
  ['another address', '<meta http-equiv="refresh" content="2;url=https://evil.example/"/>', '<meta>: is no element'],
  ['a link outside', '<image href="https://evil.example/x.png"/>', '<image href>: leads out of the drawing'],
])('refuses a drawing with %s, whatever names it', async (_, inner, reason) => {
  for (const path of ['brands/alpha/assets/unnamed.svg', 'games/quest/assets/icon.svg', 'channels/assets/card.svg']) {
    await writeFile(join(root, path), drawing(inner));
    const [fault, ...more] = await faults();
    expect(more).toEqual([]);
    expect(fault).toContain(`${path}:2: ${reason}`);
    await writeFile(join(root, path), drawing(''));
  }
});

test('allows references inside a drawing and pictures in it', async () => {
  const svg = drawing('<use href="#a"/><image href="data:image/png;base64,AA"/><path fill="url(#g)"/>');
  await writeFile(join(root, 'brands/alpha/assets/mark.svg'), svg);
  expect(await faults()).toEqual([]);
});

test('tells the faults of all files at once, in the order of files and lines', async () => {
  await edit(QUEST, 'type: time', 'type: tide');
  await edit(ALPHA, "'#5B6CFF'", "'#12'");
  await edit(ALPHA, 'Europe/Berlin', '7');
  await edit(BETA, 'games: [quest]', 'games: [chess]');
  expect(await faults()).toEqual([
    `${ALPHA}:3: theme: "#12" is not a six-digit hex colour; write e.g. "#5B6CFF"`,
    `${ALPHA}:14: timeZone: 7 is not text; put it in quotes: "7"`,
    `${BETA}:19: games[0]: there is no games/chess/game.yaml; correct the id or add the game`,
    `${QUEST}:37: goods[quest_week].limit.type: "tide" is not allowed; did you mean "time"?`,
  ]);
});

test.each([
  [
    'a language that is called incomplete and lacks nothing',
    ALPHA,
    'currency: EUR',
    'incompleteLanguages: [de]\ncurrency: EUR',
    `${ALPHA}:13: incompleteLanguages[0]: nothing is missing in de any more; remove it here`,
  ],
  [
    'a banner nobody sees',
    ALPHA,
    '  de: [mark.svg]',
    '  ja: [mark.svg]',
    `${ALPHA}:31: banner.ja: the brand does not offer ja, so nobody sees these pictures`,
  ],
  [
    'a login without its id',
    ALPHA,
    '  googleClientId: alpha.apps.googleusercontent.com\n',
    '',
    `${ALPHA}:24: logins.kinds: google is offered without logins.googleClientId, so its button cannot work`,
  ],
  [
    'a place where nobody can pay',
    ALPHA,
    '{ code: US, currency: USD }',
    '{ code: JP, currency: JPY }',
    `${ALPHA}:16: regions.useuro: no channel takes JPY in JP, so nobody can pay there`,
  ],
  [
    'a channel without an icon',
    CHANNELS,
    'name: { en: Card, de: Karte }\n    icon: card.svg',
    'name: { en: Card, de: Karte }',
    `${CHANNELS}:2: channels[card]: has no icon, so it is never listed`,
  ],
  [
    'bounds of a currency it does not take',
    CHANNELS,
    "EUR: { min: '0.50'",
    "JPY: { min: '50'",
    `${CHANNELS}:14: channels[card].bounds.JPY: the channel does not take JPY`,
  ],
])('warns of %s', async (_, file, from, to, sentence) => {
  await edit(file, from, to);
  const read = await readFiles(root, { providers, logins: [] });
  expect(read.warnings.map((warning) => warning.sentence)).toEqual([sentence]);
});

test("L80 L81 an operator's own regions and countries are taken, checked, and asked for in the brand's languages", async () => {
  await mkdir(join(root, 'regions'));
  const own = join(root, 'regions', 'regions.yaml');
  await writeFile(
    own,
    'regions:\n  latam: { name: { en: Latin America, de: Lateinamerika } }\ncountries:\n  XK: { name: { en: ' +
      'Kosovo } }\n',
  );
  await edit(BETA, 'useuro:', 'latam:');
  await edit(BETA, '{ code: DE }', '{ code: XK }');
  await edit(CHANNELS, 'regions: [useuro]\n    countries: [DE]', 'regions: [useuro, latam]\n    countries: [DE, XK]');
  expect(await faults()).toEqual([
    `${BETA}:12: languages[0]: de: 1 text is missing in regions/regions.yaml, the first is countries.XK.name; ` +
      `${remedy('de')}`,
  ]);
  await writeFile(own, (await readFile(own, 'utf8')).replace('en: Kosovo', 'en: Kosovo, de: Kosovo'));
  const read = await readFiles(root, { providers, logins: [] });
  expect(read.ok && read.files.regions.countries?.['XK']?.name.de).toBe('Kosovo');
  await writeFile(own, 'regions:\n  LATAM: { name: { en: Latin America } }\n');
  expect(await faults()).toContain(
    'regions/regions.yaml:2: regions.LATAM: is not a payment region; write e.g. "universal"',
  );
});

const remedy = (language: string) =>
  `write them (\`refill plan --missing-texts\` lists them) or name ${language} under incompleteLanguages`;

test.each<Case>([
  [
    'its own texts',
    ALPHA,
    ', de: Hallo',
    '',
    `${ALPHA}:12: languages[0]: de: 1 text is missing in ${ALPHA}, the first is hero.title; ${remedy('de')}`,
  ],
  [
    'a game lacks',
    QUEST,
    '{ en: Gems, de: Edelsteine }, unit: { en: Gem, de: Edelstein }',
    '{ en: Gems }, unit: { en: Gem }',
    `${ALPHA}:12: languages[0]: de: 2 texts are missing in ${QUEST}, the first is shelves[gems].name; ${remedy('de')}`,
  ],
  [
    'a channel of its countries lacks',
    CHANNELS,
    '{ en: Wallet, de: Wallet }',
    '{ en: Wallet }',
    `${ALPHA}:12: languages[0]: de: 1 text is missing in ${CHANNELS}, the first is channels[local].sub[1].name; ` +
      `${remedy('de')}`,
  ],
])(
  'L209 refuses a brand that offers a language of which %s, with the count',
  async (_, file, from, to, ...sentences) => {
    await edit(BETA, '[de, en]', '[en]');
    await edit(file, from, to);
    expect(await faults()).toEqual(sentences);
    await edit(ALPHA, 'currency: EUR', 'incompleteLanguages: [de]\ncurrency: EUR');
    expect(await faults()).toEqual([]);
  },
);

test('L209 asks nothing of a channel that no visitor of the brand can meet', async () => {
  await edit(BETA, '[de, en]', '[en]');
  await edit(CHANNELS, '{ en: Wallet, de: Wallet }', '{ en: Wallet }');
  await edit(CHANNELS, 'countries: [DE]', 'countries: [JP]');
  expect(await faults()).toEqual([]);
});

test('L209 refuses to excuse a language that is not offered', async () => {
  await edit(ALPHA, 'currency: EUR', 'incompleteLanguages: [fr]\ncurrency: EUR');
  expect(await faults()).toEqual([`${ALPHA}:13: incompleteLanguages[0]: the brand does not offer fr; remove it here`]);
});

test('lists every missing text once, with the brands that show it, also where it is excused', async () => {
  await edit(ALPHA, '[de, en]', '[de, en, fr]\nincompleteLanguages: [fr]');
  await edit(BETA, '[de, en]', '[en, fr]');
  const read = await readFiles(root, { providers, logins: [] });
  const texts = read.missingTexts ?? [];
  expect(texts.filter(({ path }) => path === 'goods[quest_60].name')).toEqual([
    {
      file: QUEST,
      line: 20,
      at: ['goods', 0, 'name'],
      path: 'goods[quest_60].name',
      language: 'fr',
      english: '60 Gems',
      brands: ['alpha', 'beta'],
    },
  ]);
  expect(new Set(texts.map(({ language }) => language))).toEqual(new Set(['fr']));
  await writeFile(join(root, BETA), '');
  expect((await readFiles(root, { providers })).missingTexts).toBeNull();
});

test('never throws on files that are no text at all', async () => {
  await mkdir(dirname(join(root, ALPHA)), { recursive: true });
  for (const text of ['', '- 1', 'null', '\u0000\u0001', '&a [*a]', '!!js/function x', '{'.repeat(2000)]) {
    await writeFile(join(root, ALPHA), text);
    expect((await faults()).length).toBeGreaterThan(0);
  }
});
