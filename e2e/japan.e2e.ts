// Japan: what the law wants said, the age that is asked once, the caps of minors, and those that players set
// themselves.
import { expect, newName, PASSWORD, test } from './flow.ts';

test.use({ brand: 'acenetJp', language: 'ja' });

const YEAR = new Date().getFullYear();

test(
  'L126 a minor says once how old they are, sees what is left, and cannot spend more',
  { tag: '@wide-later' },
  async ({ shopPage, players, enterAs }) => {
    const name = newName('solo');
    await players.save('acenetJp', name, PASSWORD, true);
    const { page, text, button, popup, checkout } = shopPage;
    await enterAs(name);
    await shopPage.open('/');
    await shopPage.chooseCharacter();
    await shopPage.chooseGoods();
    await shopPage.openCheckout();
    await shopPage.chooseChannel('paypal');
    await shopPage.pressPay();
    const age = popup('age.title');
    await age.getByLabel(text('age.year')).selectOption(String(YEAR - 14));
    await age.getByLabel(text('age.month')).selectOption('1');
    await expect(button('age.submit', age)).toBeDisabled();
    await age.getByLabel(text('age.consent')).check();
    await button('age.submit', age).click();
    await expect(age).toBeHidden();
    // The cap stands beside the button before anything is paid.
    const left = checkout.getByText(text('spending.left_age', { left: '￥5,000', cap: '￥5,000' }));
    await expect(left.filter({ visible: true })).toBeVisible();
    await shopPage.confirmPay();
    await shopPage.dismiss();
    await shopPage.open('/my');
    await expect(page.getByText(/￥5,000）/).first()).toBeVisible();
    await shopPage.open('/');
    await shopPage.chooseGoods('6,880');
    await shopPage.openCheckout();
    await shopPage.chooseChannel('paypal');
    await shopPage.pressPay();
    await expect(page.getByText(text('error.age_cap_reached')).first()).toBeVisible();
  },
);

test('L19 the three notices say every item of the law', { tag: '@thorough' }, async ({ shopPage }) => {
  const { page, text, button, popup } = shopPage;
  await shopPage.open('/');
  const footer = page.getByRole('contentinfo');
  for (const [notice, words] of [
    ['footer.trade', ['notice.trade_seller', 'notice.trade_returns']],
    ['footer.topup', ['notice.topup_issuer', 'notice.topup_caps']],
    ['footer.inquiry', ['notice.inquiry_contact', 'notice.inquiry_hours']],
  ] as const) {
    await button(notice, footer).click();
    for (const word of words) await expect(popup(notice).getByText(text(word), { exact: true })).toBeVisible();
    await shopPage.dismiss();
  }
});

test('a player caps and pauses themselves', { tag: '@thorough' }, async ({ shopPage, returning: _player }) => {
  const { page, text, button, popup } = shopPage;
  await shopPage.open('/my');
  const own = page.getByRole('region', { name: text('spending.title') });
  const change = own.getByRole('button', { name: new RegExp(text('spending.day')) });
  await change.click();
  await popup('spending.day').getByRole('textbox').fill('1000');
  await button('spending.save', popup('spending.day')).click();
  await expect(own.getByText(text('spending.left_day', { left: '￥1,000', cap: '￥1,000' }))).toBeVisible();
  // More waits for a day.
  await change.click();
  await popup('spending.day').getByRole('textbox').fill('2000');
  await button('spending.save', popup('spending.day')).click();
  await expect(own.getByText('￥2,000')).toBeVisible();
  await button('spending.pause_title', own).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: text('spending.pause_title') })
    .click();
  await expect(button('spending.pause_end', own)).toBeVisible();
  await shopPage.open('/');
  await shopPage.chooseCharacter();
  await shopPage.chooseGoods();
  await shopPage.openCheckout();
  await shopPage.chooseChannel('paypal');
  await shopPage.pressPay();
  await expect(page.getByText(text('error.spending_paused')).first()).toBeVisible();
});
