// L85: each of the 23 moments happens where the shop does what it names, and nothing is noted or kept without consent.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BillingInfo, OrderStage } from '#contracts/orders.ts';
import type { PaymentOption } from '#contracts/payments.ts';
import { MOMENTS, type MomentName } from '#contracts/tracking.ts';
import { english } from '#testing/english.ts';
import { type ReactNode, useState } from 'react';
import { BLANK_CONFIG } from './features/accounts/providers/providers.ts';
import { openLoginPopup } from './features/accounts/login/login.ts';
import { BannerPopup } from './features/banner/BannerPopup.tsx';
import { GoodsPart } from './features/catalogue/GoodsPart.tsx';
import { rememberGame } from './features/games/memory.ts';
import { useReceiver } from './features/games/use-receiver.ts';
import { openResult } from './features/orders/open.ts';
import { rememberOrder } from './features/orders/unfinished/order-info.ts';
import { UnfinishedNote } from './features/orders/unfinished/UnfinishedNote.tsx';
import { chooseChannel } from './features/payments/chosen-channel.ts';
import { goToPay } from './features/payments/paying/go-to-pay.ts';
import type { MethodView } from './features/payments/methods/method-rules.ts';
import { openSubChannels } from './features/payments/methods/open-sub-channels.ts';
import { PanelPayment } from './features/payments/ChosenOrder.tsx';
import { OrderPanel } from './features/payments/OrderPanel.tsx';
import { RechargePopup } from './features/payments/checkout/RechargePopup.tsx';
import { openRecharge } from './features/payments/open.ts';
import { payOrder } from './features/payments/paying/pay-order.ts';
import { startSending } from './features/tracking/sender.ts';
import { readBoot } from './platform/boot.ts';
import { switchLanguage } from './platform/i18n.ts';
import { openPopup } from './platform/popups/popups.tsx';
import { clearRegion, keepRegion } from './platform/region.ts';
import { setUser } from './platform/visitor/session.ts';
import { appear, type Canned, draw, press, serve, settle, speak, type } from './platform/test-page.tsx';
import { chooseTracking } from './features/tracking/choose.ts';
import { setWaiting, waitingMoments } from './platform/visitor/track.ts';

speak(english);

const beacons: { path: string; body: string }[] = [];
const USER = { username: 'kestrel', suid: 's', oauth_token: 't', gp_id: '' };
const stops: (() => void)[] = [];
const start = () => void stops.push(startSending());

beforeEach(() => {
  // The coins of a result fly for nobody here, and happy-dom complains of a flight that is called off.
  Element.prototype.animate = undefined as never;
  localStorage.clear();
  beacons.length = 0;
  setWaiting([]);
  navigator.sendBeacon = (path, body) => {
    void (body as Blob).text().then((text) => beacons.push({ path: String(path), body: text }));
    return true;
  };
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  chooseChannel('');
});

async function page(node: ReactNode = <p>shop</p>, needsTrackingConsent = false): Promise<void> {
  await draw(<p>shop</p>);
  const brand = { ...readBoot().brand, needsTrackingConsent, tracking: { appId: 'watt', eventId: 'SHOP', host: '' } };
  const messagesUrls = { de: '/messages/de.json' };
  // Popups that the last test left open are closed by now, and reported.
  setWaiting([]);
  await draw(node, { brand, messagesUrls, regions: [{ region: 'ja', name: 'Japan' }], hasMarkets: true });
}

const option = (more: Partial<PaymentOption> = {}): PaymentOption => ({
  payway_id: '1', channel_id: 'c', key: '1_c', pay_id: 'p', name: 'Bank card', icon: '/i.svg', sort: 0, min_money: '0', max_money: '0', min: '0', max: '0',
  method: 'card', description: '', hint: '', open_coupon: false, pay_path: 'adyen_pay', sub_payment: [], ...more,
}); /* a row a line */ // prettier-ignore
const card: MethodView = {
  key: 'card', name: 'Card', mark: '', networks: [], hint: '', group: 'country', device: '', option: '1_c', second: '', route: option(), seconds: [], optionKeys: [],
}; /* a row a line */ // prettier-ignore
const target = {
  client_id: '1',
  server_id: 's1',
  role_id: 'r1',
  area_id: '',
  product_id: 'star_260',
  price_minor: 499,
  region: 'sea',
  country: 'SG',
};
const goods = {
  value: 'star_260', display: '260 Stars', price: '4.99', price_minor: 499, price_shown: '$4.99', currency: 'USD', typeKey: 'a', isLimit: false,
  isCoupon: false, goodsSort: 1, typeSort: 1, isSpecial: false, couponPoints: 0, art: 'pack-1', description: '', pay_ways: [], list_price_shown: '',
}; /* a row a line */ // prettier-ignore
const shelf = { list: [goods], shelves: [{ key: 'a', name: 'Stars', sort: 1 }], country: 'SG', currency: 'USD' };
const order = (stage: OrderStage): BillingInfo => ({
  billing_no: 'B1', status: 1, user_name: 'k', game_name: 'E', game_server_name: 'S1', role_name: 'K', product_name: '260 Stars', product_id: 'star_260',
  client_id: '1', art: 'pack-1', amount: 0, bonus_amount: 0, bonus: '', first_bonus: '', promo_code: '', off_shown: '', price_shown: '$4.99', channel_name: 'Bank card', stage, url: '', is_declined: false, created_at: 1, paid_at: 2,
  delivering_at: 3, delivered_at: 4, refunded_at: 0,
}); /* a row a line */ // prettier-ignore
const place = { clientId: '1', region: 'sea', country: '', productId: 'star_260', price: '4.99', currency: 'USD' };

async function pay(answer: Canned): Promise<void> {
  await page();
  serve({ '/api/pay/adyen_pay': answer });
  vi.spyOn(window, 'open').mockReturnValue(null);
  await payOrder(target, option());
}
/** Named, because a linter takes the word `role` for the attribute of HTML. */
const NOBODY = { role: null };
async function shelves(): Promise<void> {
  serve({
    '/api/pay/getGoodsList': { content: shelf },
    '/api/pay/getThirdGift': { content: { list: [] } },
    '/api/config/markets': {
      content: {
        list: [{ region: 'sea', country: 'PH', display: 'Philippines', currency: 'USD', currency_shown: 'US dollar' }],
      },
    },
  });
  await page(
    <GoodsPart
      place={{ clientId: '1', region: 'sea', country: '' }}
      {...NOBODY}
      selected={null}
      onSelect={() => undefined}
    />,
  );
}
async function result(stage: OrderStage): Promise<void> {
  await page();
  serve({ '/api/pay/getOrderInfo': { content: order(stage) } });
  openResult({
    billingNo: 'B1',
    known: null,
    begun: 'back',
    hrefOf: (url: string) => url,
    onToPay: () => undefined,
    onRecharge: () => undefined,
  });
  await settle(50);
}
async function unfinished(): Promise<void> {
  rememberOrder('B1');
  serve({ '/api/pay/getOrderInfo': { content: order('delivering') } });
  await page(<UnfinishedNote onShow={() => undefined} />);
}
function Receiver() {
  const receiver = useReceiver('sea', { client_id: '1' }, true);
  const character = { display: 'K', value: 'r1', level: 1, server_id: 's1', server_name: 'S1', area_id: '' };
  return <button onClick={() => receiver.choose(character)}>choose</button>;
}

/** How each moment is brought about; a moment without one does not compile. */
const ACTS: Record<MomentName, () => Promise<void>> = {
  shop_open: async () => (await page(), start()),
  login_open: async () => (await page(), openLoginPopup()),
  login_done: async () => {
    await page();
    setUser(null);
    start();
    setUser(USER);
  },
  login_fail: async () => {
    await page();
    serve({ '/util/login/auth': { name: 'wrongCredentials' }, '/util/login/login_config': { content: BLANK_CONFIG } });
    // The popup of the test before is out of the page by then.
    await settle(1100);
    openLoginPopup();
    await appear(english['login.submit'] as string);
    await type(english['login.username'] as string, 'kestrel');
    await type(english['login.password'] as string, 'wrong');
    await press(english['login.submit'] as string);
  },
  logout: async () => {
    await page();
    setUser(USER);
    start();
    setUser(null);
  },
  game_choose: async () => (await page(), rememberGame('2')),
  role_choose: async () => {
    serve({
      '/api/pay/getGameListV2': { content: { list: [] } },
      '/api/config/recharge': 'dead',
      '/api/system/allRoleList': { content: { list: [] } },
    });
    await page(<Receiver />);
    await press('choose');
  },
  language_choose: async () => {
    await page();
    start();
    globalThis.fetch = async () => Response.json({});
    await switchLanguage('de');
  },
  country_choose: async () => {
    await shelves();
    keepRegion('sea');
    (await appear(english['country.title'] as string)).click();
    (await appear('Philippines', 'li button')).click();
    await settle();
    clearRegion();
  },
  goods_choose: async () => {
    await shelves();
    (await appear('260 Stars', 'button, [role="radio"], input, label')).click();
    await settle();
  },
  recharge_open: async () => {
    await page();
    serve({ '/api/pay/getPayChannelList': 'dead' });
    openRecharge(RechargePopup, { order: { product: null } as never, place, target, onEnd: () => undefined });
  },
  channel_choose: async () => (await page(), chooseChannel('card')),
  sub_channel_open: async () => (await page(), openSubChannels({ method: card, chosen: '' })),
  pay_press: () => pay({ name: 'unavailable' }),
  order_placed: () => pay({ content: { billing_no: 'B1', url: '' } }),
  pay_refused: () => pay({ name: 'limitReached' }),
  to_pay: async () => (await page(), goToPay(new MouseEvent('click'), 'javascript:alert(1)')),
  result_success: () => result('delivered'),
  result_fail: () => result('failed'),
  unfinished_show: unfinished,
  unfinished_open: async () => (await unfinished(), await press(english['result.unfinished_show'] as string)),
  banner_show: async () => {
    await page();
    openPopup(BannerPopup, { pictures: ['data:image/svg+xml,1', 'data:image/svg+xml,2'] });
    await appear('Picture 2 of 2');
  },
  banner_close: async () => {
    await ACTS.banner_show();
    await press('Picture 2 of 2');
    await press('Close');
    await settle(1100);
  },
};

const noted = (name: string) => waitingMoments().filter(({ event }) => event === name);

test.each(Object.keys(ACTS) as MomentName[])(
  'L85 %s is noted where it happens, once, with data of its table',
  async (name) => {
    await ACTS[name]();
    await vi.waitFor(() => expect(noted(name)).toHaveLength(1), 15_000);
    for (const key of Object.keys(noted(name)[0]?.data ?? {})) expect(MOMENTS[name].data).toContain(key);
  },
);

test('L85 the panel beside the goods is the recharge popup: told once a product, where it is in sight', async () => {
  // Hidden elements have none; happy-dom lays nothing out.
  let offsetParent: Element | null = document.body;
  Object.defineProperty(HTMLElement.prototype, 'offsetParent', { configurable: true, get: () => offsetParent });
  const view = { product: null, game: 'E', character: 'K', server: 'S1', price: '$4.99', listPrice: '' } as never;
  function Panel() {
    const [productId, setProductId] = useState('');
    const bought = productId === '' ? null : { ...target, product_id: productId };
    const payment = <PanelPayment order={view} place={place} target={bought} onEnd={() => undefined} />;
    return (
      <>
        {['star_50', 'star_260', 'star_540'].map((one) => (
          <button key={one} onClick={() => setProductId(one)}>
            {one}
          </button>
        ))}
        <OrderPanel order={view} chosen={{ product: null, payment }} />
      </>
    );
  }
  serve({ '/api/pay/getPayChannelList': 'dead' });
  await page(<Panel />);
  expect(noted('recharge_open')).toEqual([]);
  for (const productId of ['star_260', 'star_260', 'star_50']) await press(productId);
  expect(noted('recharge_open').map(({ data }) => data)).toEqual([
    { product_id: 'star_260', price_minor: 499 },
    { product_id: 'star_50', price_minor: 499 },
  ]);
  // Asked for by a press elsewhere, the panel in sight gets the focus and is no second opening.
  openRecharge(RechargePopup, { order: view, place, target, onEnd: () => undefined });
  expect(noted('recharge_open')).toHaveLength(2);
  offsetParent = null;
  await press('star_540');
  expect(noted('recharge_open')).toHaveLength(2);
  Reflect.deleteProperty(HTMLElement.prototype, 'offsetParent');
});

test('what an order tells is what was bought, for how much and by which way', async () => {
  await ACTS.order_placed();
  expect(noted('order_placed')[0]?.data).toEqual({ product_id: 'star_260', price_minor: 499, channel: '1_c' });
  await ACTS.pay_refused();
  expect(noted('pay_refused')[0]?.data).toMatchObject({ code: -1010 });
});

test('nothing is noted, kept or sent before consent, nor after a no', async () => {
  await page(<p>shop</p>, true);
  start();
  rememberGame('2');
  chooseTracking('no');
  rememberGame('3');
  document.dispatchEvent(new Event('visibilitychange'));
  dispatchEvent(new Event('pagehide'));
  await settle();
  expect(waitingMoments()).toEqual([]);
  expect(beacons).toEqual([]);
  for (const key of ['uuid', 'track_timestamp', 'traffic_source', 'tracked_visit', 'track_waiting'])
    expect(localStorage.getItem(`refill.${key}`)).toBeNull();
});
