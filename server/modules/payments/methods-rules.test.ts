// Channels folded into methods, their groups, and the route that is fixed, in tables.
import { expect, test } from 'vitest';
import type { Channel, Method, SubChannel } from '#server/modules/configuration/service.ts';
import { fixRoute, foldMethods, groupMethods, keyOfRoute } from './methods-rules.ts';
import type { ChannelView } from './rules.ts';

const subOf = (id: string, method: string | null, sort = 1): SubChannel => ({
  key: `11001_${id}`,
  method,
  bounds: new Map(),
  file: { channelId: id, icon: 'x.svg', sort, openCoupon: false },
});

function viewOf(id: string, method: string | null, sort: number, subs: SubChannel[] = [], provider = id): ChannelView {
  const channel: Channel = {
    key: `${id}_`,
    method,
    bounds: new Map(),
    sub: subs,
    file: {
      id,
      payway: '10201',
      provider,
      payPath: 'paypal_pay',
      channelId: '',
      icon: 'x.svg',
      sort,
      openCoupon: true,
      regions: ['sea'],
      countries: ['GLOBAL'],
      currencies: ['USD'],
    },
  };
  return { channel, subs };
}

const methods = new Map<string, Method>(
  (
    [
      ['card', ['GLOBAL']],
      ['paypal', ['GLOBAL']],
      ['pix', ['BR']],
      ['store', ['JP']],
      ['other', undefined],
    ] as const
  ).map(([key, countries]) => [
    key,
    { key, name: { en: key }, mark: null, ...(countries && { countries: [...countries] }) },
  ]),
);

const shown = (views: ChannelView[]) =>
  foldMethods(views, methods).map(({ method, routes }) => `${method.key}: ${routes.map(keyOfRoute).join(' ')}`);

test("a method is there once, with its routes in the operator's order", () => {
  expect(shown([viewOf('c', 'card', 30), viewOf('p', 'paypal', 20), viewOf('a', 'card', 10)])).toEqual([
    'card: a_ c_',
    'paypal: p_',
  ]);
});

test('ways inside a channel are routes of their own methods; what is left is its second choice', () => {
  const mixed = viewOf('l', 'other', 20, [subOf('2', 'pix', 2), subOf('1', 'card', 1), subOf('3', null)]);
  expect(shown([mixed, viewOf('a', 'card', 10)])).toEqual(['card: a_ 11001_1', 'pix: 11001_2', 'other: l_']);
  const [, , other] = foldMethods([mixed, viewOf('a', 'card', 10)], methods);
  expect(other?.routes[0].seconds.map(({ key }) => key)).toEqual(['11001_3']);
});

test.each([
  ['all its ways are elsewhere', viewOf('l', 'other', 1, [subOf('1', 'pix')]), ['pix: 11001_1']],
  ['it is nothing but its ways', viewOf('l', null, 1, [subOf('1', 'pix')]), ['pix: 11001_1']],
  ['none of its ways fits the price', { ...viewOf('l', 'other', 1, [subOf('1', 'pix')]), subs: [] }, ['other: l_']],
  ['nobody knows its method', viewOf('l', 'gone', 1), []],
])('a channel where %s', (_name, view, expected) => {
  expect(shown([view])).toEqual(expected);
});

const all = foldMethods(
  [viewOf('x', 'other', 5), viewOf('a', 'card', 10), viewOf('p', 'paypal', 20), viewOf('q', 'pix', 30)],
  methods,
);
test.each([
  ['US', null, ['country card', 'country paypal', 'more other', 'more pix']],
  ['BR', null, ['country card', 'country paypal', 'country pix', 'more other']],
  ['BR', 'pix', ['last pix', 'country card', 'country paypal', 'more other']],
  ['US', 'gone', ['country card', 'country paypal', 'more other', 'more pix']],
] as const)('in %s, having paid with %s', (country, last, expected) => {
  const groups = groupMethods(all, country, last && { method: last, channelKey: '' });
  expect(groups.map(({ group, view }) => `${group} ${view.method.key}`)).toEqual(expected);
});

test('the first route whose provider answers is fixed; none when nobody does', () => {
  const [card] = foldMethods([viewOf('a', 'card', 1), viewOf('b', 'card', 2)], methods);
  if (!card) throw new Error('no method');
  const fixed = (...down: string[]) => fixRoute(card, (provider) => !down.includes(provider))?.channel.file.id ?? null;
  expect([fixed(), fixed('a'), fixed('a', 'b')]).toEqual(['a', 'b', null]);
});
