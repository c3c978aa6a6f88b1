// The storefront as a player uses it: found by role and by the words on it, never by how it is built.
import { expect, type Locator, type Page } from '@playwright/test';
import { addressOf } from './running-shop.ts';
import { channelName, escapePattern, type Language, patternOf, textOf } from './texts.ts';

export type ShopPage = ReturnType<typeof createShopPage>;

/** An order just placed: its number, and the provider's page in the window that opened. */
export type Placed = { billingNo: string; window: Page };

const PASSWORD = 'refill-demo';

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

  async function open(path = '/', query: Record<string, string> = {}): Promise<void> {
    const search = new URLSearchParams({ ...(language === 'en' ? {} : { spec_lang: language }), ...query }).toString();
    await page.goto(addressOf(brand, search === '' ? path : `${path}?${search}`));
    // Drawn by the page's own code, not by the server: from here on buttons work.
    await expect(
      page.getByRole('banner').getByRole('combobox').or(page.getByRole('banner').getByRole('button')).first(),
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

  /** Takes the first character of the open popup, or the one named so. */
  async function takeCharacter(name?: string): Promise<void> {
    const dialog = popup('role.title');
    const characters = dialog.getByRole('group', { name: text('role.character') });
    await characters
      .getByRole('radio', name === undefined ? {} : { name })
      .first()
      .check();
    await button('role.confirm', dialog).click();
    await expect(dialog).toBeHidden();
  }

  async function chooseCharacter(name?: string): Promise<void> {
    await openCharacters();
    await takeCharacter(name);
    await expect(button('receiver.change', receiver)).toBeVisible();
  }

  /** The goods with this amount or name. @param what "320" takes the pack of 320, never that of 3200 */
  const goods = (what: string): Locator =>
    page.getByRole('radio', { name: new RegExp(`(^|[^\\d.,])${escapePattern(what)}([^\\d]|$)`) });

  async function chooseGoods(what = '320'): Promise<void> {
    // Not check(): the card is picked at the end of a transition.
    await goods(what).first().click();
    await expect(goods(what).first()).toBeChecked();
  }

  /** Where there is something to choose; @param country its two letters */
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

  /** The button with the price on it, of the bar on phones or of the panel on desktops. */
  const payButton = page.getByRole('button', { name: named('recharge.pay') }).filter({ visible: true });

  const recharge = popup('recharge.title');

  const secondPopup = (channel: string): Locator => {
    const [own = ''] = channel.split('/');
    return page.getByRole('dialog', { name: text('recharge.sub_title', { name: channelName(language, own) }) });
  };

  /** Opens the choice inside a channel. @param channel as in channels.yaml, "id/way inside it" */
  async function openSecondChoice(channel: string): Promise<void> {
    const [own = ''] = channel.split('/');
    await radio(recharge, channelName(language, own)).click();
    await expect(secondPopup(channel)).toBeVisible();
  }

  async function takeSecondChoice(channel: string): Promise<void> {
    await radio(secondPopup(channel), channelName(language, channel)).check();
    await button('recharge.sub_use', secondPopup(channel)).click();
    await expect(secondPopup(channel)).toBeHidden();
  }

  /** Chooses a way to pay in the recharge popup. @param channel as in channels.yaml, "id" or "id/way inside it" */
  async function chooseChannel(channel: string): Promise<void> {
    if (!channel.includes('/')) return radio(recharge, channelName(language, channel)).check();
    await openSecondChoice(channel);
    await takeSecondChoice(channel);
  }

  /** Pays with what is chosen in the recharge popup. */
  async function confirmPay(): Promise<Placed> {
    const opening = page.context().waitForEvent('page');
    await payButton.click();
    const window = await opening;
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
    await payButton.click();
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
    // As a player would: a page behind the provider's window draws once a second only, and every step after it waits for that.
    await page.bringToFront();
    await expect(result.getByRole('heading', { name: named(id) })).toBeVisible({ timeout });
  }

  return {
    page, brand, language, text, named, button, popup, result, recharge, receiver, goods, payButton, open, fillLogin, expectLoggedIn, logIn,
    userMenu, openCharacters, takeCharacter, chooseCharacter, openSecondChoice, takeSecondChoice, chooseCountry, chooseGoods, chooseChannel, confirmPay, openPayPage, pay, dismiss, billingNo, expectResult,
  }; // prettier-ignore
}

function radio(inside: Locator, name: string): Locator {
  return inside.getByRole('radio', { name: new RegExp(`^\\s*${escapePattern(name)}`) });
}
