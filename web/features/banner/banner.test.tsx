// The forced banner in a document: where it shows, how often, and how it is stepped through.
import { beforeEach, expect, test, vi } from 'vitest';
import type { PageConfig } from '#contracts/games.ts';
import type { Region } from '#kernel/regions.ts';
import { closeAllPopups, showTip } from '#web/platform/popups/popups.tsx';
import { keepRegion } from '#web/platform/region.ts';
import { appear, draw, find, press, settle, speak } from '#web/platform/test-page.tsx';
import { english } from '#testing/english.ts';
import { clearBanner, offerBanner } from './open.ts';

speak(english);

const picture = (n: number) => `data:image/svg+xml,${n}`;
const banners = (count: number) => Array.from({ length: count }, (_, n) => ({ picture_address: picture(n) }));
const config = (banner_config: PageConfig['banner_config']): PageConfig => ({
  is_open_coupon: false,
  language_config: 'en',
  langConfig: 'en',
  area_config: { is_area_role: false },
  brand_color: '#000000',
  cumulative_config: { is_has_cumulative: false },
  continue_config: { is_has_continue: false },
  daily_config: { is_has_daily: false },
  banner_config,
});

async function open(banner_config: PageConfig['banner_config'], region: Region = 'ja'): Promise<void> {
  await draw(<p>shop</p>);
  keepRegion(region);
  offerBanner(config(banner_config));
  await settle(150);
}
const isShown = () => document.querySelector('[aria-roledescription="carousel"]') !== null;

beforeEach(() => {
  closeAllPopups();
  clearBanner();
  sessionStorage.clear();
});

test('L55 shows in Japan, with the pictures of the language, once a session', async () => {
  await open({ en: banners(3), ja: banners(1) });
  await appear('Picture 3 of 3');
  expect([...document.querySelectorAll('img')].map((one) => one.src)).toEqual([picture(0), picture(1), picture(2)]);
  await press('Close');
  await settle(1100);
  offerBanner(config({ en: banners(3) }));
  await settle(150);
  expect(isShown()).toBe(false);
});

test.each<[string, PageConfig['banner_config'], Region]>([
  ['outside Japan, whatever the page was given', { en: banners(3) }, 'universal'],
  ['without pictures for the language', { ja: banners(3) }, 'ja'],
  ['with an empty list', { en: [] }, 'ja'],
  ['of a brand without a banner', {}, 'ja'],
])('L55 does not show %s', async (_what, banner_config, region) => {
  await open(banner_config, region);
  expect(isShown()).toBe(false);
  expect(sessionStorage.length).toBe(0);
});

test('covers no popup that a player came for, and waits for the next page then', async () => {
  await draw(<p>shop</p>);
  keepRegion('ja');
  showTip({ title: 'Order', text: 'Yours', close: 'Close' });
  offerBanner(config({ en: banners(2) }));
  await settle(150);
  expect(isShown()).toBe(false);
  expect(sessionStorage.length).toBe(0);
});

test('is stepped by dots and by the arrow that points onward', async () => {
  const moved: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    moved.push(this.querySelector('img')?.alt ?? '');
  });
  await open({ en: banners(3) });
  const current = () => document.querySelector('[aria-current="true"]')?.getAttribute('aria-label');
  expect(current()).toBe('Picture 1 of 3');
  (await appear('Picture 3 of 3')).click();
  await settle();
  expect(current()).toBe('Picture 3 of 3');
  const list = document.querySelector('ul[tabindex="0"]');
  const key = (name: string) =>
    list?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true }));
  key('ArrowRight');
  await settle();
  expect(current()).toBe('Picture 3 of 3');
  key('ArrowLeft');
  await settle();
  expect(current()).toBe('Picture 2 of 3');
  document.documentElement.dir = 'rtl';
  key('ArrowLeft');
  await settle();
  expect(current()).toBe('Picture 3 of 3');
  document.documentElement.dir = '';
  expect(moved).toEqual(['Picture 3 of 3', 'Picture 3 of 3', 'Picture 2 of 3', 'Picture 3 of 3']);
  expect(find('Close')).toBeTruthy();
});
