// A player on the way from the goods to the ways to pay, in a browser whose processor runs at a quarter of its speed:
// how long each press takes until it shows. No judgement here.
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from '@playwright/test';
import { createShopPage, type ShopPage } from '#e2e/shop-page.ts';
import type { Version } from '#contracts/documents.ts';
import { type PressEvent, pressDuration, type Walk } from './interactions.ts';

/** As Lighthouse slows a phone down. @source https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md */
const CPU_SLOWDOWN = 4;
/** Our choice: the first press compiles what it runs, so more than one is looked at. */
const PACKS = 3;
/** Our choice: transitions take a quarter of a second; what a press sets going is over by then. */
const REST_MS = 700;
/** Our choice: parts that come when the page is idle are there, as they are for a player who reads first. */
const READING_MS = 2500;

export type WalkKind = { readonly name: string; readonly brand: string; readonly version: Version; isWide: boolean };

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** A player who is logged in and has a character, as their browser remembers it. */
type Memory = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Logs in and chooses a character at full speed. */
export async function prepareWalk(browser: Browser, kind: WalkKind, player: string): Promise<Memory> {
  const context = await browser.newContext(kind.isWide ? DESKTOP : PHONE);
  const shop = createShopPage(await context.newPage(), { brand: kind.brand, language: 'en' });
  await shop.open('/');
  await shop.logIn(player);
  if (kind.version === 'classic') await chooseGame(shop);
  else {
    await shop.chooseCharacter();
    // Kept a moment after it was chosen.
    await shop.page.waitForTimeout(REST_MS);
  }
  const memory = await context.storageState();
  await context.close();
  return memory;
}

export async function walkToMethods(browser: Browser, kind: WalkKind, memory: Memory): Promise<Walk> {
  const context = await browser.newContext({ ...(kind.isWide ? DESKTOP : PHONE), storageState: memory });
  try {
    const page = await context.newPage();
    await page.addInitScript(noteEvents);
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    const shop = createShopPage(page, { brand: kind.brand, language: 'en' });
    await shop.open('/');
    if (kind.version === 'classic') await chooseGame(shop);
    const packs = page.locator('main input[name="goods"]:enabled');
    await packs.nth(PACKS - 1).waitFor();
    await page.waitForTimeout(READING_MS);
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    const choosing: number[] = [];
    for (let pack = 0; pack < PACKS; pack += 1) choosing.push(await press(page, packs.nth(pack), kind));
    const began = Date.now();
    // Beside the goods the panel is there already: it is the last pack that showed its ways to pay.
    const opening = kind.isWide ? (choosing.at(-1) ?? Number.NaN) : await press(page, shop.payButton.first(), kind);
    await waysToPay(shop, kind).waitFor();
    const untilMethodsMs = kind.isWide ? 0 : Math.max(0, Date.now() - began - REST_MS);
    const layoutShift = await page.evaluate(() => (window as unknown as Noted).noted.shift);
    return { choosing, opening, untilMethodsMs, requests, layoutShift };
  } finally {
    await context.close();
  }
}

/** Step 1 of the classic version, and a character where there is more than one. */
async function chooseGame({ page, text, receiver, button }: ShopPage): Promise<void> {
  await page.getByRole('main').getByRole('button').first().click();
  const first = page
    .getByRole('group', { name: text('role.character') })
    .getByRole('radio')
    .first();
  const chosen = button('receiver.change', receiver);
  await first.or(chosen).first().waitFor();
  if (await first.isVisible()) await first.click();
  await chosen.waitFor();
}

function waysToPay(shop: ShopPage, { version }: WalkKind): Locator {
  if (version === 'new') return shop.checkout.getByRole('radio').first();
  return shop.page
    .getByRole('group', { name: shop.text('recharge.choose'), exact: true })
    .getByRole('radio')
    .first();
}

/**
 * Presses with a finger or a mouse, and answers how long it took to show. What is pressed stands still: a driver
 * scrolls to it and presses within one picture, which no hand can, and the picture of the press would wait for that of
 * the scroll.
 */
async function press(page: Page, what: Locator, { isWide }: WalkKind): Promise<number> {
  await what.scrollIntoViewIfNeeded();
  await page.waitForTimeout(REST_MS);
  await page.evaluate(() => void ((window as unknown as Noted).noted.events = []));
  await (isWide ? what.click() : what.tap());
  await page.waitForTimeout(REST_MS);
  return pressDuration(await page.evaluate(() => (window as unknown as Noted).noted.events));
}

type Noted = { noted: { events: PressEvent[]; shift: number } };

/** Runs in the page, before its own scripts. */
function noteEvents(): void {
  const noted: Noted['noted'] = { events: [], shift: 0 };
  (window as unknown as Noted).noted = noted;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries() as unknown as PressEvent[])
      noted.events.push({ interactionId, duration });
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  new PerformanceObserver((list) => {
    type Shift = { value: number; hadRecentInput: boolean };
    for (const { value, hadRecentInput } of list.getEntries() as unknown as Shift[])
      if (!hadRecentInput) noted.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
}
