// Make-up payments by clicking: the link, the in-game login, the payment, and the account that the game unblocks. New
// version and classic, Japanese among them.
import { expect, test } from './flow.ts';
import { createLook } from './look.ts';
import { payOnProvider } from './provider-page.ts';
import { blockInGame, isBlockedInGame } from './simulators.ts';

const PLACES = [
  { brand: 'watt', language: 'en', clientId: '70021', game: 'starlane', tag: ['@phone'] },
  { brand: 'acenetJp', language: 'ja', clientId: '70021', game: 'starlane', tag: ['@thorough'] },
  { brand: 'joynet', language: 'en', clientId: '70031', game: 'pocket-pitch', tag: ['@thorough'] },
] as const;

for (const { tag, clientId, game, ...place } of PLACES) {
  test.describe(`${place.brand} in ${place.language}`, { tag: [...tag] }, () => {
    test.use(place);

    test('L100 L102 L117 a blocked account pays by its link and is unblocked', async ({
      shopPage,
      player,
      players,
    }) => {
      const { page, text, named, button } = shopPage;
      const look = createLook(page, `replenish-${place.brand}-${place.language}`);
      await blockInGame(game, player);
      const id = await players.openReplenish(place.brand, player, clientId, 3600);
      await shopPage.open('/replenishGoods', { replenish_id: id });
      await look('login', { isWholePage: true });
      const login = page.waitForRequest('**/api/ingame/auth');
      await button('login.submit', page.getByRole('main')).click();
      await shopPage.fillLogin(player);
      expect((await login).postDataJSON()).toMatchObject({ game_id: clientId });
      await shopPage.expectLoggedIn(player);
      await expect(page).toHaveURL(new RegExp(`/replenishGoods\\?.*replenish_id=${id}`));
      await expect(page.getByRole('timer')).toBeVisible();
      await expect(page.getByRole('main')).toContainText(player);
      await look('pay', { isWholePage: true });

      const ways = page.getByRole('region', { name: text('recharge.title') });
      const paypal = ways.getByRole('radio', { name: /PayPal/ });
      const more = ways.getByRole('button', { name: named('recharge.more_ways'), expanded: false });
      await expect(ways.getByRole('radio').first()).toBeVisible();
      if ((await paypal.count()) === 0) await more.click();
      await paypal.check();
      await shopPage.lookAtConfirmation(page.getByRole('main'));
      const opening = page.context().waitForEvent('page');
      await ways.getByRole('button', { name: named('recharge.pay') }).click();
      await payOnProvider(await opening, 'Pay');
      await shopPage.expectResult('replenish.unblocked_title');
      await look('result', { isWholePage: true });
      await expect.poll(() => isBlockedInGame(game, player)).toBe(false);
      await button('result.success_done').click();
      await expect(page.getByRole('heading', { name: text('replenish.unblocked_title') })).toBeVisible();
      await look('unblocked', { isWholePage: true });
    });

    test(
      'L117 another account is told whose it is',
      { tag: '@thorough' },
      async ({ shopPage, returning: _player, players, chooser: owner }) => {
        const { page, text } = shopPage;
        const look = createLook(page, `replenish-other-${place.brand}`);
        const id = await players.openReplenish(place.brand, owner, clientId, 3600);
        await shopPage.open('/replenishGoods', { replenish_id: id });
        await expect(page.getByRole('heading', { name: text('replenish.other_title') })).toBeVisible();
        await expect(page.getByText(`${owner[0]}•••${owner.at(-1)}`)).toBeVisible();
        await expect(page.getByText(owner)).toHaveCount(0);
        await look('other', { isWholePage: true });
      },
    );
  });
}

for (const [seconds, isCounted] of [
  [86_400, false],
  [86_399, true],
  [60, true],
  [1, true],
  [0, false],
] as const) {
  test(
    `L102 L203 the countdown at ${seconds} seconds`,
    { tag: '@thorough' },
    async ({ shopPage, returning: player, players }) => {
      const { page, text } = shopPage;
      const id = await players.openReplenish('watt', player, '70021', 3600);
      // The server's time of the payment is set to the edge.
      await page.route('**/api/replenishment/replenishment_info*', async (route) => {
        const url = route
          .request()
          .url()
          .replace(/\/\/[^:/]+/, '//127.0.0.1');
        const headers = { ...(await route.request().allHeaders()), host: new URL(page.url()).host };
        const answer = await route.fetch({ url, headers });
        const body = (await answer.json()) as { content: { valid_time: number; state: string } };
        body.content.valid_time = seconds;
        if (seconds === 0) body.content.state = 'expired';
        await route.fulfill({ response: answer, json: body });
      });
      await shopPage.open('/replenishGoods', { replenish_id: id });
      const expired = page.getByRole('heading', { name: text('show_error.expired_title') });
      const amount = page.getByText('$12.50').first();
      if (seconds > 1) await expect(amount).toBeVisible();
      await expect(page.getByRole('timer')).toHaveCount(isCounted && seconds > 1 ? 1 : 0, { timeout: 15_000 });
      if (seconds <= 1) await expect(expired).toBeVisible();
      else await expect(expired).toHaveCount(0);
    },
  );
}
