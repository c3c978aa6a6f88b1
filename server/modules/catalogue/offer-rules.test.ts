// Price per unit, how much more, best value, and what is in a bundle: computed from the price list, to the percent.
import { expect, test } from 'vitest';
import { comparePacks, openBundle, type Priced, type PricedGift } from './offer-rules.ts';

const usd = (amountMinor: number) => ({ amountMinor, currency: 'USD' }) as const;
const bonus = (count: number): PricedGift => ({ id: 'bonus', count, isCurrency: true });
const item = (id: string, count = 1): PricedGift => ({ id, count, isCurrency: false });
const pack = (amount: number, minor: number, gifts: readonly PricedGift[] = [], shelf = 'gems'): Priced => ({
  id: `p${amount}`,
  shelf,
  amount,
  price: usd(minor),
  gifts,
});

const LADDER = [
  pack(60, 99),
  pack(320, 499, [bonus(20)]),
  pack(1280, 1999, [bonus(140)]),
  pack(6880, 9999, [bonus(1280)]),
];

test('each pack says its price per hundred, and how much more it gives than the smallest', () => {
  const offers = comparePacks(LADDER);
  expect(
    [...offers.values()].map(({ per, perCount, morePercent, isBest }) => [
      per.amountMinor,
      perCount,
      morePercent,
      isBest,
    ]),
  ).toEqual([
    [165, 100, 0, false],
    [147, 100, 12, false],
    [141, 100, 17, false],
    [123, 100, 34, true],
  ]);
  expect(offers.get('p60')).toMatchObject({ sharePercent: 74, next: { price: usd(400), count: 280 } });
  expect(offers.get('p6880')).toMatchObject({ sharePercent: 100, next: null, total: 8160 });
});

test('with its first-purchase bonus a pack costs less a unit; what is compared leaves bonuses out', () => {
  const offers = comparePacks([pack(60, 99), { ...pack(1280, 1999, [bonus(140)]), firstUnits: 1280 }]);
  expect(offers.get('p60')?.firstPer).toBeNull();
  // 1,420 and 1,280 more for $19.99.
  expect(offers.get('p1280')).toMatchObject({ per: usd(141), firstPer: usd(74), morePercent: 17, isBest: true });
});

test('best value is nobody where all packs give the same for the money', () => {
  const offers = comparePacks([pack(10, 100), pack(20, 200), pack(40, 400)]);
  expect([...offers.values()].map(({ isBest, morePercent }) => [isBest, morePercent])).toEqual([
    [false, 0],
    [false, 0],
    [false, 0],
  ]);
});

test('the cheaper of two that give the same is the best value', () => {
  const offers = comparePacks([pack(10, 200), pack(100, 1000), pack(200, 2000)]);
  expect([...offers].filter(([, { isBest }]) => isBest).map(([id]) => id)).toEqual(['p100']);
});

test('a pack that gives less than the smallest says nothing of "more"', () => {
  expect(comparePacks([pack(100, 100), pack(150, 200)]).get('p150')).toMatchObject({ morePercent: 0, isBest: false });
});

test('shelves are compared by themselves, bundles and things without an amount are not', () => {
  const offers = comparePacks([
    ...LADDER,
    pack(500, 100, [], 'other'),
    pack(90, 99, [item('fox')]),
    { ...pack(1, 500), id: 'pass', amount: 0 },
  ]);
  expect([...offers.keys()]).toEqual(['p60', 'p320', 'p1280', 'p6880', 'p500']);
  expect(offers.get('p500')).toMatchObject({ isBest: false, perCount: 10 });
});

test.each([
  [2999, 100],
  [999, 10],
  [99, 1],
])('with %i units in the largest pack prices are told per %i', (largest, perCount) => {
  expect(comparePacks([pack(1, 10), pack(largest, 500)]).get('p1')?.perCount).toBe(perCount);
});

test('a bundle says what its parts cost one by one, and what it saves', () => {
  const single = (id: string, count: number, minor: number): Priced => ({
    id: `${count} ${id}`,
    shelf: 'packs',
    amount: 0,
    price: usd(minor),
    gifts: [item(id, count)],
  });
  const mixed: Priced = { id: 'mixed', shelf: 'packs', amount: 0, price: usd(1), gifts: [item('cloak'), item('keys')] };
  const chest: Priced = {
    id: 'chest',
    shelf: 'packs',
    amount: 320,
    price: usd(999),
    gifts: [item('keys', 10), item('cloak'), bonus(20)],
  };
  const offer = openBundle(
    chest,
    [...LADDER, single('cloak', 1, 1500), single('cloak', 2, 2400), mixed, chest],
    'gems',
  );
  expect(offer).toEqual({
    parts: [
      // Three hundred and twenty cannot be had at the price of a pack of 340: the smallest pack's price counts.
      { giftId: null, count: 320, worth: usd(528) },
      { giftId: 'keys', count: 10, worth: null },
      { giftId: 'cloak', count: 1, worth: usd(1200) },
      { giftId: 'bonus', count: 20, worth: usd(33) },
    ],
    worth: usd(1761),
    offPercent: 43,
  });
});

test('packs of another currency say nothing of what is inside', () => {
  const chest: Priced = { id: 'chest', shelf: 'packs', amount: 100, price: usd(10), gifts: [item('keys')] };
  expect(openBundle(chest, [...LADDER, pack(50, 5000, [], 'other'), chest], 'other')?.parts[0]?.worth).toEqual(
    usd(10_000),
  );
  expect(openBundle(chest, [...LADDER, chest], undefined)?.parts[0]?.worth).toBeNull();
});

test('a bundle that saves nothing says so by saying nothing', () => {
  const dear: Priced = { id: 'dear', shelf: 'packs', amount: 60, price: usd(99), gifts: [item('keys')] };
  expect(openBundle(dear, [...LADDER, dear], 'gems')).toMatchObject({ worth: null, offPercent: 0 });
});

test('a pack is no bundle, nor is a thing without parts', () => {
  expect(openBundle(LADDER[1] as Priced, LADDER, 'gems')).toBeNull();
  expect(openBundle({ id: 'pass', shelf: 'packs', amount: 0, price: usd(499), gifts: [] }, LADDER, 'gems')).toBeNull();
});
