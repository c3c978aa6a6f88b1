import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { ConfigurationFiles } from './configuration.ts';
import { planChanges } from './plan-rules.ts';
import { readFiles } from './files/read-files.ts';

let fixture: ConfigurationFiles;

beforeAll(async () => {
  const read = await readFiles(join(import.meta.dirname, '..', '..', '..', 'testing', 'fixtures', 'configuration'));
  if (!read.ok) throw new Error(read.faults.map((fault) => fault.sentence).join('\n'));
  fixture = read.files;
});

/** The fixture after `change`, which may do as it likes to a copy. */
function changed(change: (files: ReturnType<typeof editable>) => void): ConfigurationFiles {
  const files = editable();
  change(files);
  return files;
}

function editable() {
  const { brands, games, ...rest } = structuredClone(fixture) as ConfigurationFiles;
  return { brands: new Map(brands), games: new Map(games), ...rest };
}

test('says nothing when nothing changed', () => {
  expect(planChanges(fixture, structuredClone(fixture))).toEqual([]);
});

test('calls everything new on an empty database', () => {
  const empty: ConfigurationFiles = { brands: new Map(), games: new Map(), channels: { channels: [] }, regions: {} };
  expect(planChanges(empty, fixture)).toEqual([
    '+ brand alpha: new (pay.alpha.example, useuro)',
    '+ brand beta: new (pay.beta.example, useuro)',
    '+ game quest: new (2 goods)',
    '+ channel card: new (adyen, EUR USD)',
    '+ channel local: new (xsolla, EUR)',
  ]);
});

type Files = ReturnType<typeof editable>;
const alpha = (files: Files) => files.brands.get('alpha')!;
const quest = (files: Files) => files.games.get('quest')!;

test.each<[string, (files: Files) => void, string[]]>([
  [
    'a promo code that comes',
    (f) => (alpha(f).codes = [{ code: 'SPRING', rate: '0.9', total: 5, creator: { id: 'ann', share: 500 } }]),
    ['+ brand alpha code SPRING: new (rate 0.9, 500 basis points for ann, total 5, per player unlimited)'],
  ],
  [
    'a first-purchase bonus',
    (f) => (quest(f).goods[0]!.firstTime = { gifts: [{ id: 'more', name: { en: 'More' }, count: 60 }] }),
    [
      '+ game quest product quest_60: firstTime.gifts.more.id more',
      '+ game quest product quest_60: firstTime.gifts.more.name.en More',
      '+ game quest product quest_60: firstTime.gifts.more.count 60',
    ],
  ],
  [
    'a step of an event',
    (f) => (quest(f).events![0]!.steps[0]!.total!.USD = '5.99'),
    ['~ game quest event total: steps.total_1.total.USD 4.99 -> 5.99'],
  ],
  [
    'an event that goes and one that comes',
    (f) => (quest(f).events = [{ ...quest(f).events![1]!, id: 'weekly' }]),
    [
      '+ game quest event weekly: new (continuous, every week, 1 steps)',
      '- game quest event total: gone',
      '- game quest event streak: gone',
    ],
  ],
  [
    'a price',
    (f) => (quest(f).goods[0]!.prices.USD = '1.09'),
    ['~ game quest product quest_60: price.USD 0.99 -> 1.09'],
  ],
  ['a new currency', (f) => (quest(f).goods[1]!.prices.THB = '99'), ['+ game quest product quest_week: price.THB 99']],
  [
    'a list price that goes',
    (f) => delete quest(f).goods[0]!.listPrices,
    ['- game quest product quest_60: list price.USD 1.99'],
  ],
  [
    'a country price',
    (f) => (quest(f).goods[0]!.countryPrices = { DE: { currency: 'EUR', amount: '0.79' } }),
    ['~ game quest product quest_60: price in.DE.amount 0.89 -> 0.79'],
  ],
  [
    'goods that come and go',
    (f) => (quest(f).goods[0]!.id = 'quest_80'),
    [
      '+ game quest product quest_80: new (USD 0.99, EUR 0.99, JPY 160, DE EUR 0.89)',
      '- game quest product quest_60: gone',
    ],
  ],
  [
    'who may buy',
    (f) => Object.assign(quest(f).goods[1]!, { limit: { type: 'role', times: 1 }, stock: 50, isCoupon: true }),
    [
      '~ game quest product quest_week: limit 3 within 7 days -> 1 per character',
      '~ game quest product quest_week: stock 100 -> 50',
      '~ game quest product quest_week: coupons not allowed -> allowed',
    ],
  ],
  [
    'a limit that goes',
    (f) => delete quest(f).goods[1]!.limit,
    ['~ game quest product quest_week: limit 3 within 7 days -> none'],
  ],
  [
    'what a game is asked, and what follows when it declines',
    (f) => Object.assign(quest(f), { check: 'when_reachable', declined: 'review' }),
    ['~ game quest: check required (default) -> when_reachable', '~ game quest: declined refund (default) -> review'],
  ],
  [
    'a default that is written out',
    (f) => (quest(f).check = 'required'),
    ['~ game quest: check required (default) -> required'],
  ],
  ['a flag of a game', (f) => (quest(f).isCouponOpen = false), ['~ game quest: isCouponOpen true -> false']],
  [
    'hosts',
    (f) => (alpha(f).hosts.live = ['shop.alpha.example']),
    ['+ brand alpha hosts: shop.alpha.example', '- brand alpha hosts: pay.alpha.example'],
  ],
  [
    'a language without texts',
    (f) => alpha(f).languages.push('fr'),
    ['+ brand alpha languages: fr', '~ brand alpha: no hero text in fr'],
  ],
  [
    'a region',
    (f) => (alpha(f).regions.ja = { currency: 'JPY', countries: [{ code: 'JP' }] }),
    ['+ brand alpha regions: ja.currency JPY', '+ brand alpha regions: ja.countries.JP.code JP'],
  ],
  [
    'the currency of a country',
    (f) => (alpha(f).regions.useuro!.countries[1]!.currency = 'EUR'),
    ['~ brand alpha regions: useuro.countries.US.currency USD -> EUR'],
  ],
  [
    'the first language',
    (f) => (alpha(f).languages = alpha(f).languages.toReversed()),
    ['~ brand alpha: another order of entries'],
  ],
  ['a colour', (f) => (alpha(f).theme = '#000000'), ['~ brand alpha: theme #5B6CFF -> #000000']],
  [
    'goods that beta users see first',
    (f) => (quest(f).goods[0]!.beta = true),
    ['~ game quest product quest_60: seen by everybody -> beta users'],
  ],
  ['a brand that goes', (f) => f.brands.delete('beta'), ['- brand beta: gone']],
  [
    'a channel',
    (f) => Object.assign(f.channels.channels[0]!, { currencies: ['EUR'], bounds: { EUR: { min: '1', max: '500' } } }),
    ['~ channel card: currencies EUR USD -> EUR', '~ channel card: bounds.EUR.min 0.50 -> 1'],
  ],
  [
    'a sub-channel that goes',
    (f) => f.channels.channels[1]!.sub!.pop(),
    [
      '- channel local: sub.2.channelId 2',
      '- channel local: sub.2.name.en Wallet',
      '- channel local: sub.2.name.de Wallet',
      '- channel local: sub.2.icon card.svg',
      '- channel local: sub.2.sort 20',
      '- channel local: sub.2.openCoupon true',
    ],
  ],
  [
    'the order of channels',
    (f) => (f.channels.channels = f.channels.channels.toReversed()),
    ['~ channels: another order of entries'],
  ],
])('tells %s', (_, change, lines) => {
  expect(planChanges(fixture, changed(change))).toEqual(lines);
});
