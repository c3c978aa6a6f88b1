// What a reload of the page finds again.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeDraft, loadDraft } from '#web/features/orders/unfinished/order-info.ts';
import { chooseChannel, useChosenChannel } from '#web/features/payments/chosen-channel.ts';
import { readBoot } from '#web/platform/boot.ts';
import { setWaiting, waitingMoments } from '#web/platform/visitor/track.ts';
import { draw, serve, settle, shownText } from '#web/platform/test-page.tsx';
import { memoryAddresses } from '#web/platform/router/history.ts';
import { createRouter } from '#web/platform/router/router.ts';
import { RouterProvider } from '#web/platform/router/Router.tsx';
import { useShop } from './use-shop.ts';

beforeEach(() => localStorage.clear());
afterEach(() => chooseChannel(''));

function Shop() {
  useShop(null);
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
