// Each read that the server refuses is told in the server's words, by its place or by a toast; decision 68.
import { expect, test } from 'vitest';
import { english } from '#testing/english.ts';
import { GoodsPart } from './features/catalogue/GoodsPart.tsx';
import { useLimits } from './features/catalogue/queries.ts';
import { CouponList } from './features/coupons/CouponList.tsx';
import { EVERYWHERE, useCoupons } from './features/coupons/queries.ts';
import { useServers } from './features/games/queries.ts';
import { OrderHistory } from './features/orders/history/OrderHistory.tsx';
import { ResultBefore } from './features/orders/result/ResultBefore.tsx';
import { useOrder } from './features/orders/queries.ts';
import { tellFault } from './platform/calls/fault.ts';
import { CallError } from './platform/calls/query.ts';
import { setUser } from './platform/visitor/session.ts';
import { readBoot } from './platform/boot.ts';
import { draw, serve, settle, shownText, speak } from './platform/test-page.tsx';
import { connectReactions } from './reactions-of-page.ts';

speak(english);

const noop = () => undefined;
const SAID = 'says limitReached';

function Coupons() {
  const ways = { isHistory: false, onHistory: noop, actions: {} as never };
  return <CouponList list={useCoupons(EVERYWHERE)} {...ways} />;
}
function Order() {
  return <ResultBefore billingNo="B1" {...useOrder('B1', null)} />;
}
function Limits() {
  useLimits('1', { role_id: 'r', server_id: 's1', area_id: '' });
  return null;
}
function Servers() {
  useServers('2');
  return null;
}
const place = { clientId: '2', region: '', country: '' };
/** Named, because a linter takes the word `role` for the attribute of HTML. */
const NOBODY = null;
const goods = <GoodsPart place={place} role={NOBODY} deals={new Map()} selected={null} onSelect={noop} />;

async function refuse(node: React.ReactNode, path: string): Promise<string> {
  await draw(null);
  serve({ [path]: { name: 'limitReached' } });
  connectReactions({ place: { search: {} } } as never);
  setUser({ username: 'wolf', suid: 'u1', oauth_token: 't', gp_id: '' });
  await draw(node, { brand: { ...readBoot().brand, isVip: true } });
  await settle();
  return shownText();
}

test.each([
  ['goods', goods, '/api/pay/getGoodsList'],
  ['coupons', <Coupons key="coupons" />, '/api/coupons/couponList'],
  ['history', <OrderHistory key="history" shopLink={null} onContinue={noop} />, '/api/orders/history'],
  ['an order', <Order key="order" />, '/api/pay/getOrderInfo'],
  ['limits', <Limits key="limits" />, '/api/pay/getLimitProductInfo'],
  ['servers', <Servers key="servers" />, '/api/pay/getServerList'],
])('L193 a refusal is told in the words of the server: %s', async (_name, node, path) => {
  const shown = await refuse(node, path);
  expect(shown).toContain(SAID);
  expect(shown).not.toContain('check your connection');
  expect(shown.split(SAID)).toHaveLength(2);
});

test('L194 a dead line has the sentence about the line, or the one of its place', () => {
  const dead = new CallError({ kind: 'network' });
  expect(tellFault(dead)).toContain('Please check your connection');
  expect(tellFault(dead, 'Your order is safe.')).toBe('Your order is safe.');
});
