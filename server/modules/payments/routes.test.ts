// The channel list over HTTP: region, country, price, brand and credentials decide what a player sees.
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { BrandKey } from '#kernel/ids.ts';
import type { Region } from '#kernel/regions.ts';
import type { PaymentMethod, PaymentOption } from '#contracts/payments.ts';
import { createFakeProvider } from '#testing/fake-payments.ts';
import { type TestShop, createTestShop } from '#testing/shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({
    providers: [
      createFakeProvider('paypal'),
      createFakeProvider('xsolla'),
      createFakeProvider('adyen', { supportsCurrency: (currency) => currency !== 'VND' }),
    ],
    environment: { REFILL_XSOLLA_DEMO_KEY: 'k' },
  });
});
afterAll(() => shop.close());

type Channels = { country: string; list: Record<string, PaymentOption[]>; methods: PaymentMethod[] };
const channels = (query: string) => shop.get<Channels>(`/api/pay/getPayChannelList?client_id=70021&${query}`);
const keysOf = ({ list }: Channels) =>
  Object.fromEntries(Object.entries(list).map(([country, options]) => [country, options.map(({ key }) => key)]));

test('channels of a region in order; Apple Pay on its own devices only', async () => {
  const web = keysOf((await channels('product_id=star_260')).content);
  expect(web.GLOBAL).toEqual(['12101_scheme', '12101_googlepay', '10201_', '11001_', '12101_']);
  const ios = keysOf((await channels('product_id=star_260&platform=ios')).content);
  expect(ios.GLOBAL).toContain('12101_applepay');
  expect(keysOf((await channels('product_id=star_260&platform=android')).content)).toEqual(web);
});

test("the country's own channels come beside those offered everywhere, with their sub-payments in bounds", async () => {
  const { content } = await channels('product_id=star_260&domain_area=sea&country=PH');
  expect(Object.keys(content.list).slice(0, 2)).toEqual(['PH', 'GLOBAL']);
  const [local] = content.list.PH ?? [];
  expect(local).toMatchObject({ pay_id: 'xsolla-local-sea', pay_path: 'xsolla_pay', channel_id: 'local' });
  expect(local?.sub_payment.map(({ channel_id }) => channel_id)).toEqual(['9101', '9102', '9103']);
  expect(local?.sub_payment[1]).toMatchObject({
    min_money: '0.00',
    max_money: '300.00',
    min: '0.00',
    max: '300.00',
    key: '11001_9102',
  });
  // 0.99 is below what a shop's till takes.
  const cheap = (await channels('product_id=star_50&domain_area=sea&country=PH')).content;
  expect(cheap.list.PH?.[0]?.sub_payment.map(({ channel_id }) => channel_id)).toEqual(['9101', '9102']);
  expect(keysOf(cheap).GLOBAL).not.toContain('12101_');
});

test('L73 every option and sub-option carries both pairs of bounds', async () => {
  const { list } = (await channels('product_id=star_260&domain_area=sea&country=PH')).content;
  const options = Object.values(list).flatMap((some) => some.flatMap((one) => [one, ...one.sub_payment]));
  expect(options.length).toBeGreaterThan(5);
  for (const one of options) expect([one.min, one.max]).toEqual([one.min_money, one.max_money]);
  expect(options.some((one) => one.max === '300.00')).toBe(true);
});

test('L74 the map holds every country of the brand that has a channel, at the prices there', async () => {
  const { content } = await channels('product_id=star_260&domain_area=sea&country=PH');
  const brand = shop.configuration.brands.get('watt' as BrandKey);
  const codes = [...(brand?.regions.values() ?? [])].flatMap(({ countries }) => countries.map(({ code }) => code));
  expect(content.country).toBe('PH');
  expect(Object.keys(content.list).slice(0, 2)).toEqual(['PH', 'GLOBAL']);
  expect(Object.keys(content.list).filter((code) => code !== 'GLOBAL' && !codes.includes(code as never))).toEqual([]);
  // Each is what a visitor of that country is offered there; a country of two areas counts in
  // this one, else in the first.
  const areas = ['sea', ...(brand?.regions.keys() ?? [])] as Region[];
  for (const code of new Set(codes)) {
    const area = areas.find((region) => brand?.regions.get(region)?.countries.some((one) => one.code === code));
    const own = (await channels(`product_id=star_260&domain_area=${area}&country=${code}`)).content;
    expect([own.country, own.list[code]]).toEqual([code, content.list[code]]);
  }
  expect(Object.values(content.list).every((options) => options.length > 0)).toBe(true);
  expect(Object.keys(content.list).length).toBeGreaterThan(4);
});

test('a provider that does not take the currency, or has no credentials, is not offered', async () => {
  const vietnam = keysOf((await channels('product_id=star_260&domain_area=sea&country=VN')).content);
  expect(
    Object.values(vietnam)
      .flat()
      .some((key) => key.startsWith('12101')),
  ).toBe(false);
  const live = await createTestShop({ environment: { REFILL_ENVIRONMENT: 'live', REFILL_XSOLLA_DEMO_KEY: 'k' } });
  onTestFinished(live.close);
  const { content } = await live.get<Channels>('/api/pay/getPayChannelList?client_id=70021&product_id=star_260');
  // Of a demo's credentials a live process reads none: only PayPal has live ones here.
  expect(keysOf(content)).toEqual({ GLOBAL: ['10201_'] });
});

test('no such goods, game or region', async () => {
  expect((await channels('product_id=ember_60')).code).toBe(-1007);
  expect((await channels('product_id=star_50&domain_area=ru')).code).toBe(-3014);
  expect((await shop.get('/api/pay/getPayChannelList?client_id=99999&product_id=star_50')).code).toBe(-3001);
});
