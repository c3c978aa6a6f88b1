// Methods over HTTP, on the shipped files: what a player of watt in the United States may choose, by whom it is
// paid, and what the order keeps.
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { PaymentMethod, PaymentOption } from '#contracts/payments.ts';
import { OutboundError } from '#server/platform/outbound/outbound.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { type FakeProvider, createFakeProvider } from '#testing/fake-payments.ts';
import { pay, showRoles } from '#testing/pay.ts';
import { type TestPlayer, type TestShop, createTestShop } from '#testing/shop.ts';

const names = [...new Set(shopProviders.map(({ name }) => name))];
const environment = Object.fromEntries(
  names.map((name) => [`REFILL_${name.toUpperCase().replaceAll('-', '_')}_DEMO_KEY`, 'k']),
);
const fakes = () => names.map((name) => createFakeProvider(name));

let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop({ providers: fakes(), environment });
});
afterAll(() => shop.close());
afterEach(() => vi.useRealTimers());

type Channels = { country: string; list: Record<string, PaymentOption[]>; methods: PaymentMethod[] };
const PATH = '/api/pay/getPayChannelList?client_id=70021&product_id=star_260';
const ask = async (query = '', session: TestPlayer | null = null, of = shop) =>
  (await of.get<Channels>(`${PATH}${query}`, { session })).content;
const tell = ({ methods }: Channels) => methods.map(({ group, key, option }) => `${group} ${key} ${option}`);

test('watt in the United States: Card once, PayPal, the balance, and the rest behind them', async () => {
  const content = await ask();
  expect(content.country).toBe('US');
  expect(tell(content)).toEqual([
    'country card 12101_scheme',
    'country google_pay 12101_googlepay',
    'country paypal 10201_',
    'country balance 10801_',
    'more alipay 11601_ALIPAY_CN',
    'more other 11801_',
    'more prepaid_card 10601_',
    'more card43 10643_',
    'more travellet 10701_',
  ]);
  expect(content.methods.filter(({ name }) => /card|visa/i.test(name)).map(({ name }) => name)).toEqual([
    'Card',
    'Prepaid card',
    '43 Card',
  ]);
  expect(content.methods[0]).toEqual({
    key: 'card',
    name: 'Card',
    mark: '/channels/card.svg',
    networks: ['/channels/visa.svg', '/channels/mastercard.svg', '/channels/jcb.svg'],
    hint: '',
    group: 'country',
    device: '',
    option: '12101_scheme',
    second: '',
  });
});

test("L73 L74 the operator's channels stay on the wire, each with the method it is a route of", async () => {
  const { list } = await ask();
  const options = list['GLOBAL'] ?? [];
  expect(options.filter(({ method }) => method === 'card').map(({ key }) => key)).toEqual([
    '12101_scheme',
    '11602_CARD',
    '11702_card',
  ]);
  expect(options.length).toBeGreaterThan(13);
});

test('what has a hint says it in the language of the player; a channel of ways inside is called by them', async () => {
  const { methods, list } = await ask('&domain_area=universal&country=BR&spec_lang=pt');
  const pix = methods.find(({ key }) => key === 'pix');
  expect(pix).toMatchObject({ group: 'country', name: 'Pix', hint: 'Abre o app do seu banco', option: '12201_pix' });
  const ebanx = list['BR']?.find(({ pay_id }) => pay_id === 'ebanx');
  expect(ebanx?.name).toBe('Pix, Boleto, Cartão');
  expect(JSON.parse(ebanx?.sub_payment[0]?.description ?? '')).toMatchObject({
    pt: 'Abre o app do seu banco',
    en: 'Opens your bank app',
  });
  // One of Brazil's cards comes before those of the world: it is paid by the same method.
  expect(methods.filter(({ key }) => key === 'card')).toHaveLength(1);
});

test('L53 a way with a second choice asks for it, and remembers it', async () => {
  const japan = '&domain_area=ja&country=JP';
  const { methods, list } = await ask(japan);
  const store = methods.find(({ key }) => key === 'store');
  expect(store).toMatchObject({ group: 'country', option: '11001_store', second: '' });
  const seconds = list['JP']?.find(({ key }) => key === '11001_store')?.sub_payment ?? [];
  expect(seconds.map(({ name, method }) => [name, method])).toEqual([
    ['7-Eleven', ''],
    ['FamilyMart', ''],
    ['Lawson', ''],
  ]);
});

async function placeByCard(of: TestShop, player: TestPlayer, body: object) {
  await showRoles(of, player);
  return pay(of, player, body);
}

test('the order keeps method and channel; what was paid with comes first next time', async () => {
  const player = await shop.logIn();
  const placed = await placeByCard(shop, player, { path: '/api/pay/alipay_pay', body: { channel_id: 'CARD' } });
  expect(placed.code).toBe(1);
  const { rows } = await shop.db.query(
    'select method, channel_key, channel_name from payment_attempt where player_id = $1',
    [player.playerId],
  );
  expect(rows).toMatchObject([{ method: 'card', channel_key: '11602_CARD', channel_name: { en: 'Card' } }]);
  expect((await ask('', player)).methods[0]).toMatchObject({ group: 'country', key: 'card' });
  // Another way to pay the same order is another attempt with its own method.
  expect((await pay(shop, player)).code).toBe(1);
  const attempts = await shop.db.query('select method from payment_attempt where player_id = $1 order by attempt_no', [
    player.playerId,
  ]);
  expect(attempts.rows).toEqual([{ method: 'card' }, { method: 'paypal' }]);
  await shop.db.query(`update payment_attempt set succeeded_at = now() where player_id = $1 and attempt_no = 2`, [
    player.playerId,
  ]);
  expect(tell(await ask('', player)).slice(0, 2)).toEqual(['last paypal 10201_', 'country card 12101_scheme']);
  // A stranger sees nothing of it.
  expect((await ask('', await shop.logIn())).methods[0]).toMatchObject({ group: 'country', key: 'card' });
});

test('a provider that does not answer is passed over before anything is asked; with none left the method says so', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const down = fakes().filter(({ name }) => ['adyen', 'paypal', 'alipay'].includes(name));
  const own = await createTestShop({
    providers: down.map(({ name }) => createFakeProvider(name, { apiHosts: () => ['127.0.0.1:9'] })),
    environment,
  });
  onTestFinished(() => own.close());
  const player = await own.logIn();
  await showRoles(own, player);
  const breakDown = async (name: string, path: string, body: Record<string, unknown>) => {
    const fake = own.services.payments.account(name)?.provider as FakeProvider;
    // Nobody listens at port 9 ("discard"), so the connection is refused at once.
    fake.script.create = async (_input, { outbound }) => {
      await outbound('http://127.0.0.1:9/', { method: 'POST' });
      throw new OutboundError('network', true, 'somebody answered');
    };
    for (let press = 0; press < 3; press += 1) expect((await pay(own, player, { path, body })).code).toBe(-1012);
  };
  const optionOf = async (key: string) =>
    (await ask('', null, own)).methods.find((method) => method.key === key)?.option;
  expect(await optionOf('card')).toBe('12101_scheme');
  await breakDown('adyen', '/api/pay/adyen_pay', { channel_id: 'scheme' });
  expect(await optionOf('card')).toBe('11602_CARD');
  await breakDown('paypal', '/api/pay/paypal_pay', { channel_id: '' });
  expect(await optionOf('paypal')).toBe('');
  // Once a probe is due the first route is tried again, by whoever presses next.
  vi.setSystemTime(Date.now() + 1001);
  expect(await optionOf('card')).toBe('12101_scheme');
});

test('a brand names its own channels: which of them, and which first', async () => {
  const own = await createTestShop({
    providers: fakes(),
    environment,
    brands: {
      watt: {
        channels: {
          include: ['adyen-card', 'airwallex-card', 'paypal', 'alipay'],
          exclude: ['alipay'],
          order: ['paypal', 'airwallex-card'],
        },
      },
    },
  });
  onTestFinished(() => own.close());
  const content = await ask('', null, own);
  expect(tell(content)).toEqual(['country paypal 10201_', 'country card 11702_card']);
  expect(content.list['GLOBAL']?.map(({ key, sort }) => [key, sort > 0])).toEqual([
    ['10201_', false],
    ['11702_card', false],
    ['12101_scheme', true],
  ]);
  // A channel that is not offered cannot be paid by either.
  const player = await own.logIn();
  await showRoles(own, player);
  expect((await pay(own, player, { path: '/api/pay/alipay_pay', body: { channel_id: 'ALIPAY_CN' } })).code).toBe(-1008);
  // Nobody else is touched by it; a shipped brand has its own order too.
  const other = tell((await own.get<Channels>(PATH, { brand: 'brandEn' })).content);
  expect(other[0]).toBe('country paypal 10201_');
  expect(other).not.toContain('more travellet 10701_');
  expect(other).toContain('more alipay 11601_ALIPAY_CN');
});
