// A page as a screen reader and a keyboard meet it: names and roles from Chromium's accessibility tree, and where the
// Tab key stops.
import { expect, type Locator, type Page } from '@playwright/test';

type AxNode = {
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  properties?: { name: string; value: { value: unknown } }[];
};

/** Ground that takes the focus so that keys move it, or for the skip link; it names nothing by itself. */
const GROUND = new Set(['RootWebArea', 'main', 'generic', 'none', 'paragraph']);

/** Everything that takes the focus and has no name a reader could say, as its role. */
export async function findNameless(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: AxNode[] };
  await session.detach();
  return nodes
    .filter(({ ignored, properties }) => !ignored && properties?.some((one) => one.name === 'focusable'))
    .filter(({ role, name }) => !GROUND.has(role?.value ?? '') && (name?.value ?? '').trim() === '')
    .map(({ role }) => role?.value ?? '?');
}

/** One stop of the Tab key. `isSeen`: in the window, with a ring round it or round what it is drawn as. */
export type Stop = { tag: string; name: string; isSeen: boolean };

async function stopHere(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return { tag: 'body', name: '', isSeen: true };
    const box = element.getBoundingClientRect();
    let hasRing = false;
    // A hidden radio shows the focus on the card or row that it is drawn as.
    for (let one: Element | null = element, up = 0; one && up < 4; one = one.parentElement, up += 1) {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      hasRing ||= outlineStyle !== 'none' && outlineWidth !== '0px';
    }
    const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    const labels = element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels : null;
    const name = element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent ?? '';
    return {
      tag: element.tagName.toLowerCase(),
      name: name.replaceAll(/\s+/g, ' ').trim(),
      isSeen: hasRing && isInside,
    };
  });
}

/**
 * Every stop from here on until the Tab key leaves the page or comes round.
 * @param most our bound, beyond any screen
 */
export async function listStops(page: Page, most = 80): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    const stop = await stopHere(page);
    const [first] = stops;
    if (stop.tag === 'body' || (first && first.tag === stop.tag && first.name === stop.name)) break;
    stops.push(stop);
  }
  return stops;
}

/** Every screen and popup owes this to a reader: everything has a name, and one heading or title says where one is. */
export async function expectReadable(page: Page, where: string): Promise<void> {
  expect.soft(await findNameless(page), `${where}: without a name`).toEqual([]);
  const dialog = page.getByRole('dialog').filter({ visible: true });
  if ((await dialog.count()) > 0) {
    await expect.soft(dialog.last(), where).toHaveAccessibleName(/\S/);
    return;
  }
  for (const landmark of ['banner', 'main'] as const)
    await expect.soft(page.getByRole(landmark), `${where}: ${landmark}`).toHaveCount(1);
  await expect.soft(page.getByRole('heading', { level: 1 }), `${where}: first heading`).toHaveCount(1);
}

/** Moves the focus with the Tab key until it is where it should be; it is in sight at every stop. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    const { tag, name, isSeen } = await stopHere(page);
    expect.soft(isSeen, `the focus is seen on <${tag}> ${name}`).toBe(true);
  }
  await expect(target).toBeFocused();
}

export async function pressOn(page: Page, target: Locator, key: 'Enter' | 'Space'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}
