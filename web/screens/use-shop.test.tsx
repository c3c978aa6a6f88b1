// Tests that a reload of the page finds its state again.
import { useEffect } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeDraft, loadDraft } from '#web/features/orders/unfinished/order-info.ts';
import { chooseChannel, tellWay, useChosenChannel } from '#web/features/payments/chosen-channel.ts';
import { readBoot } from '#web/platform/boot.ts';
import { setWaiting, waitingMoments } from '#web/platform/visitor/track.ts';
import { draw, serve, settle, shownText } from '#web/platform/test-page.tsx';
import { memoryAddresses } from '#web/platform/router/history.ts';
import { createRouter } from '#web/platform/router/router.ts';
import { RouterProvider } from '#web/platform/router/Router.tsx';
import { draftOf } from './use-purchase.ts';
import { useShop } from './use-shop.ts';

beforeEach(() => localStorage.clear());
afterEach(() => chooseChannel(''));

let ended: ReturnType<typeof useShop>['onEnd'] | null = null;

function Shop() {
  const { onEnd } = useShop(null);
  useEffect(() => {
    ended = onEnd;
  });
  return <p>by {useChosenChannel()}</p>;
}

async function open(): Promise<void> {
  serve({ '/api/games/getGameListV2': 'dead' });
  const router = createRouter(
    { pageOf: () => null, leadOn: () => null, onMove: () => undefined },
    { extraKeys: {}, addresses: memoryAddresses('/selectGoods') },
  );
  await draw(null);
  setWaiting([]);
  const tracking = { appId: 'watt', eventId: 'SHOP', host: '' };
  await draw(
    <RouterProvider router={router}>
      <Shop />
    </RouterProvider>,
    { brand: { ...readBoot().brand, tracking } },
  );
}

test('L63 the way to pay that was chosen after the pack', async () => {
  changeDraft({ goods: { display: '320 Crystals', value: 'ember_320', price: '4.99' } });
  await open();
  chooseChannel('paypal');
  await settle();
  expect(loadDraft()?.rechargeKey).toBe('paypal');
  // A page that is loaded anew has no choice of its own.
  await draw(null);
  chooseChannel('');
  await open();
  expect(shownText()).toContain('by paypal');
});

test('L63 the name and route of the way to pay, and they outlast a reload', async () => {
  changeDraft({ goods: { display: '320 Crystals', value: 'ember_320', price: '4.99' } });
  await open();
  chooseChannel('paypal');
  tellWay({ name: 'PayPal', pay_id: 'p1' });
  await settle();
  expect(loadDraft()?.rechargeInfo).toEqual({ name: 'PayPal', pay_id: 'p1' });
  await draw(null);
  chooseChannel('');
  await open();
  expect(loadDraft()).toMatchObject({ rechargeKey: 'paypal', rechargeInfo: { name: 'PayPal', pay_id: 'p1' } });
  chooseChannel('card');
  await settle();
  expect(loadDraft()).toMatchObject({ rechargeKey: 'card', rechargeInfo: null });
});

test('L63 the order that the draft became', async () => {
  changeDraft({ goods: { display: '320 Crystals', value: 'ember_320', price: '4.99' } });
  await open();
  ended?.({ kind: 'order', billingNo: 'B1', url: '', page: 'none', isEarlier: false }, 'PayPal', {
    product: null,
  } as never);
  expect(loadDraft()?.billing_no).toBe('B1');
});

test('L63 the area of the character, by its name where it is known', () => {
  const role = { display: 'Kestrel', value: 'r1', level: 1, server_id: 's1', server_name: 'S1', area_id: '2' };
  const parts = { goods: null, first: null, gifts: [], game: null, role };
  expect(draftOf(parts, 'ja').area).toEqual({ display: '2', value: '2' });
  expect(draftOf(parts, 'ja', [{ display: 'East', value: '2' }]).area).toEqual({ display: 'East', value: '2' });
  expect(draftOf({ ...parts, role: { ...role, area_id: '' } }, 'ja').area).toBeNull();
});

test('L85 a way to pay that is found again is no choice', async () => {
  changeDraft({ goods: { display: '320 Crystals', value: 'ember_320', price: '4.99' }, rechargeKey: 'paypal' });
  await open();
  expect(shownText()).toContain('by paypal');
  expect(waitingMoments()).toEqual([]);
  chooseChannel('card');
  expect(waitingMoments().map(({ event }) => event)).toEqual(['channel_choose']);
});

test('no way to pay is kept where nothing is chosen', async () => {
  await open();
  chooseChannel('paypal');
  await settle();
  expect(loadDraft()).toBeNull();
});
