// The storefront as a player uses it: found by role and by the words on it, never by how it is built.
import { expect, type Locator, type Page } from '@playwright/test';
import { addressOf } from './running-shop.ts';
import {
  channelName,
  escapePattern,
  isSecondChoice,
  type Language,
  methodOf,
  patternOf,
  secondName,
  textOf,
} from './texts.ts';

/** Pixels from which on the order's panel stands beside the goods. */
export const PANEL_WIDTH = 1024;

export type ShopPage = ReturnType<typeof createShopPage>;

/** An order just placed: its number, and the provider's page in the window that opened. */
export type Placed = { billingNo: string; window: Page };

const PASSWORD = 'refill-demo';

/** The flows read these fields of the channel list. */
type Listed = {
  list: Record<
    string,
    { key: string; pay_id: string; sub_payment: { key: string; channel_id: string; method: string }[] }[]
  >;
  methods: { key: string; option: string }[];
};

/** @param given.brand key of the brand whose host is visited */
export function createShopPage(page: Page, given: { brand: string; language: Language }) {
  const { brand, language } = given;
  const text = (id: string, values?: Record<string, string>): string => textOf(language, id, values);
  const named = (id: string): RegExp => patternOf(language, id);
  const button = (id: string, inside: Page | Locator = page): Locator =>
    inside.getByRole('button', { name: text(id), exact: true });

  /** The popup in sight, by its title. */
  const popup = (id: string): Locator => page.getByRole('dialog', { name: named(id) });
  const result = popup('result.title');

  /** Asks for a page, whether or not its code runs. */
  async function visit(path = '/', query: Record<string, string> = {}): Promise<void> {
    const search = new URLSearchParams({ ...(language === 'en' ? {} : { spec_lang: language }), ...query }).toString();
    // Pictures may come later.
    await page.goto(addressOf(brand, search === '' ? path : `${path}?${search}`), { waitUntil: 'domcontentloaded' });
  }

  async function open(path = '/', query: Record<string, string> = {}): Promise<void> {
    await visit(path, query);
    // Drawn by the page's own code, not by the server: from here on buttons work.
    await expect(
      // Whoever is logged in where there is one language has the menu alone.
      page.getByRole('banner').locator('select, button, summary').first(),
    ).toBeVisible();
  }

  async function fillLogin(name: string, password = PASSWORD): Promise<void> {
    const dialog = popup('login.title');
    await dialog.getByLabel(text('login.username'), { exact: true }).fill(name);
    await dialog.getByLabel(text('login.password'), { exact: true }).fill(password);
    await button('login.submit', dialog).click();
  }

  async function expectLoggedIn(name: string): Promise<void> {
    await expect(popup('login.title')).toBeHidden();
    await expect(userMenu(name)).toBeVisible();
    // The page starts again half a second after a login; what is pressed before would be lost.
    await expect(page.getByRole('status').getByText(text('login.done', { name }))).toBeHidden();
  }

  const userMenu = (name: string): Locator => page.getByLabel(text('user.menu', { name }), { exact: true });

  async function logIn(name: string): Promise<void> {
    await button('login.submit', page.getByRole('banner')).click();
    await fillLogin(name);
    await expectLoggedIn(name);
  }

  const receiver = page.getByRole('region', { name: text('receiver.label') });

  async function openCharacters(): Promise<void> {
    const labels = ['receiver.change', 'receiver.choose_button'].map((id) => escapePattern(text(id)));
    await receiver.getByRole('button', { name: new RegExp(`^(${labels.join('|')})$`) }).click();
    await expect(popup('role.title').getByRole('radio').first()).toBeVisible();
  }

  /** Takes the first character of the open popup. */
  async function takeCharacter(): Promise<void> {
    const dialog = popup('role.title');
    await dialog
      .getByRole('group', { name: text('role.character') })
      .getByRole('radio')
      .first()
      .check();
    await button('role.confirm', dialog).click();
    await expect(dialog).toBeHidden();
  }

  /** Whoever has one character only has it already. */
  async function chooseCharacter(): Promise<void> {
    const change = button('receiver.change', receiver);
    await expect(change.or(button('receiver.choose_button', receiver))).toBeVisible();
    if (await change.isVisible()) return;
    await openCharacters();
    await takeCharacter();
    await expect(change).toBeVisible();
  }

  /** The goods with this amount or name. @param what "320" takes the pack of 320, never that of 3200 */
  const goods = (what: string): Locator =>
    page.getByRole('radio', { name: new RegExp(`(^|[^\\d.,])${escapePattern(what)}([^\\d]|$)`) });

  async function chooseGoods(what = '320'): Promise<void> {
    // Not check(): the card is picked at the end of a transition.
    await goods(what).first().click();
    await expect(goods(what).first()).toBeChecked();
  }

  /** Chooses a country where there is something to choose; @param country its two letters */
  async function chooseCountry(country: string): Promise<void> {
    const picker = page.getByRole('button', { name: named('country.title') }).first();
    if (!(await picker.isVisible())) return;
    await picker.click();
    const name = new Intl.DisplayNames([language], { type: 'region' }).of(country) ?? country;
    await popup('country.title')
      .getByRole('button', { name: new RegExp(`^${escapePattern(name)}`) })
      .first()
      .click();
    await expect(popup('country.title')).toBeHidden();
  }

  /** The button with the price on it, of bar, panel or sheet, also while it says what is missing. */
  const labels = ['pay', 'choose_first', 'choose_second', 'fill_card', 'balance_first'];
  const ids = [...labels.map((label) => `recharge.${label}`), 'confirm.first'];
  const payButton = page
    .getByRole('button', { name: new RegExp(ids.map((id) => named(id).source).join('|')) })
    // "Change" above it names the way to pay, in some languages by the same word.
    .filter({ visible: true, hasNotText: text('recharge.change') });

  const recharge = popup('recharge.title');
  /** The methods are in the panel beside the goods, else in the sheet. */
  const hasPanel = (page.viewportSize()?.width ?? 0) >= PANEL_WIDTH;
  const checkout = hasPanel ? page.getByRole('region', { name: text('order.title') }) : recharge;

  const secondPopup = (channel: string): Locator =>
    page.getByRole('dialog', { name: text('recharge.sub_title', { name: channelName(language, channel) }) });

  /** The radio of the method that a channel is chosen under. */
  const method = (channel: string): Locator =>
    checkout
      .getByRole('radio', { name: new RegExp(`^\\s*${escapePattern(channelName(language, channel))}`) })
      .and(page.locator(`[value="${methodOf(channel)}"]`));

  /** Brings a method into sight that waits behind "Change" or "More ways". */
  async function unfold(channel: string): Promise<void> {
    await expect(checkout.getByRole('radio').first()).toBeVisible();
    for (const id of ['recharge.change', 'recharge.more_ways']) {
      const fold = checkout.getByRole('button', { name: named(id), expanded: false });
      if ((await method(channel).count()) === 0 && (await fold.count()) > 0) await fold.click();
    }
  }

  /** Opens the choice inside a channel. @param channel as in channels.yaml, "id/way inside it" */
  async function openSecondChoice(channel: string): Promise<void> {
    await unfold(channel);
    await method(channel).click();
    await expect(secondPopup(channel)).toBeVisible();
  }

  async function takeSecondChoice(channel: string): Promise<void> {
    await radio(secondPopup(channel), secondName(language, channel)).check();
    await button('recharge.sub_use', secondPopup(channel)).click();
    await expect(secondPopup(channel)).toBeHidden();
  }

  /** Chooses the method of a channel. @param channel as in channels.yaml, "id" or "id/way inside it" */
  async function chooseChannel(channel: string): Promise<void> {
    if (isSecondChoice(channel)) {
      await openSecondChoice(channel);
      await takeSecondChoice(channel);
    } else {
      await unfold(channel);
      await method(channel).check();
    }
  }

  /**
   * Lets a method be paid by this very channel, as if it were the operator's first. To be
   * called before anything is chosen.
   */
  async function prefer(channel: string): Promise<void> {
    const [own = '', inside] = channel.split('/');
    await page.route('**/api/pay/getPayChannelList*', async (route) => {
      const answer = await route.fetch({
        url: route
          .request()
          .url()
          .replace(/\/\/[^:/]+/, '//127.0.0.1'),
        headers: { ...(await route.request().allHeaders()), host: new URL(page.url()).host },
      });
      const body = (await answer.json()) as { content: Listed | null };
      const options = Object.values(body.content?.list ?? {}).flat();
      const option = options.find(({ pay_id: id }) => id === own);
      const sub = option?.sub_payment.find(({ channel_id: id, method: key }) => id === inside && key !== '');
      const wanted = body.content?.methods.find(({ key }) => key === methodOf(channel));
      if (wanted && option) wanted.option = (sub ?? option).key;
      await route.fulfill({ response: answer, json: body });
    });
  }

  /** On phones the bar opens the sheet; beside the panel there is nothing to open. */
  async function openCheckout(): Promise<void> {
    if (!hasPanel && !(await recharge.isVisible())) await payButton.click();
    await expect(checkout.getByRole('radio').first()).toBeVisible();
  }

  /** Ticks the consent beside the pay button, where the law of the place wants one. */
  async function agree(): Promise<void> {
    const box = checkout.locator('[data-consent] input');
    if ((await box.count()) > 0) await box.check();
  }

  /**
   * The first press leads to the final confirmation where the place wants one, unless it has been in view.
   * @param within the checkout, or the page of a make-up payment
   */
  async function lookAtConfirmation(within: Locator = checkout): Promise<void> {
    const block = within.locator('[data-confirmation]');
    if ((await block.count()) === 0) return;
    await block.scrollIntoViewIfNeeded();
    // It may be longer than the sheet. The button is `aria-disabled` until then, and answers a press all the same.
    const isReady = () =>
      expect(payButton)
        .toHaveAccessibleName(named('recharge.pay'), { timeout: 1000 })
        .then(
          () => true,
          () => false,
        );
    if (!(await isReady())) await payButton.click({ force: true });
    await expect(payButton).toHaveAccessibleName(named('recharge.pay'));
  }

  /** A press that pays, in the recharge popup. */
  async function pressPay(): Promise<void> {
    await lookAtConfirmation();
    await payButton.click();
  }

  /** Pays with what is chosen in the recharge popup. */
  async function confirmPay(): Promise<Placed> {
    await agree();
    await lookAtConfirmation();
    const [window] = await Promise.all([page.context().waitForEvent('page'), payButton.click()]);
    await expect(result).toBeVisible();
    return { billingNo: await billingNo(), window };
  }

  /** Opens the provider's page of the order in the result: of one that waits, or of one that was declined there. */
  async function openPayPage(which: 'waiting' | 'declined'): Promise<Page> {
    const opening = page.context().waitForEvent('page');
    await (
      which === 'waiting'
        ? result.getByRole('link', { name: text('result.to_pay'), exact: true })
        : result.getByRole('link', { name: named('result.recharge_continue') })
    ).click();
    return opening;
  }

  /** From chosen goods to the provider's page. */
  async function pay(channel: string): Promise<Placed> {
    await openCheckout();
    await chooseChannel(channel);
    return confirmPay();
  }

  /** Closes the popup in sight, and waits until its step in the history is taken back too. */
  async function dismiss(): Promise<void> {
    await page.bringToFront();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => JSON.stringify(history.state))).not.toContain('popupGuard');
  }

  /** Number of the order in the result popup. */
  async function billingNo(): Promise<string> {
    return (await result.getByRole('code').innerText()).trim();
  }

  /** @param id of the title that the result has to show */
  async function expectResult(id: string, timeout = 15_000): Promise<void> {
    // As a player would: a page behind the provider's window draws once a second only, and every
    // step after it waits for that.
    await page.bringToFront();
    await expect(result.getByRole('heading', { name: named(id) })).toBeVisible({ timeout });
  }

  return {
    page, brand, language, text, named, button, popup, result, recharge, checkout, receiver, goods, payButton, open, visit, openCheckout, prefer, unfold, method, fillLogin, expectLoggedIn, logIn,
    userMenu, openCharacters, takeCharacter, chooseCharacter, openSecondChoice, takeSecondChoice, chooseCountry, chooseGoods, chooseChannel, lookAtConfirmation, pressPay, confirmPay, openPayPage, pay, dismiss, billingNo, expectResult,
  }; /* a row a line */ // prettier-ignore
}

function radio(inside: Locator, name: string): Locator {
  return inside.getByRole('radio', { name: new RegExp(`^\\s*${escapePattern(name)}`) });
}
