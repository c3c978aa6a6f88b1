// The page of a make-up payment whose order is in review, behind the real router.
import { beforeEach, expect, test, vi } from 'vitest';
import type { ReplenishInfo } from '#contracts/replenish.ts';
import { english } from '#testing/english.ts';
import { memoryAddresses } from './platform/router/history.ts';
import { setUser } from './platform/visitor/session.ts';
import { draw, serve, shownText, speak } from './platform/test-page.tsx';
import { createShopRouter, ShopPages } from './routes.tsx';

speak(english);
vi.mock('#web/ui/pictures/sprite.ts', () => ({ loadSprite: async () => undefined }));
beforeEach(() => localStorage.clear());

const PAID: ReplenishInfo = {
  replenish_id: 'RP-1', client_id: '1', game_name: 'Starlane', user_name: 'kestrel', amount: '12.50', currency_code: 'USD', valid_time: 3600,
  amount_shown: '$12.50', amount_minor: 1250, is_own: true, state: 'paid', billing_no: 'B1', paid_at: 0, unblocked_at: 0, list: [],
}; /* a row a line */ // prettier-ignore

async function open(info: ReplenishInfo): Promise<void> {
  serve({ '/api/replenishment/replenishment_info': { content: info } });
  const user = { username: 'kestrel', suid: 's', oauth_token: '', gp_id: 'g' };
  await draw(null, { user });
  setUser(user);
  const router = createShopRouter(memoryAddresses('/replenishGoods?replenish_id=RP-1'));
  await router.load();
  await draw(<ShopPages router={router} />, { user });
}

test('its payment is being checked: neither received nor asked for again', async () => {
  await open({ ...PAID, review_kind: 'payment' });
  await expect.poll(shownText).toContain('We are checking your payment');
  expect(shownText()).toContain('B1');
  expect(shownText()).not.toContain('Payment received');
});

test('paid and the game is asked: as ever, also by a server that names no kind', async () => {
  await open({ ...PAID, paid_at: Date.now() });
  await expect.poll(shownText).toContain('The game is being asked to unblock your account');
});
