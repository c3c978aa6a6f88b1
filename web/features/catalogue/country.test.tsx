// The one picker of country and currency: where it stands, what it lists, and what a choice does.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PageData } from '#contracts/boot.ts';
import { CountryPicker } from './CountryPicker.tsx';
import { english } from '#testing/english.ts';
import { clearRegion, currentRegion, keepRegion, keptArea } from '#web/platform/region.ts';
import { loadText } from '#web/platform/visitor/storage.ts';
import { appear, draw, find, press, serve, settle, shownText, speak, type } from '#web/platform/test-page.tsx';

speak(english);

const market = (region: string, country: string, display: string, currency: string) => ({
  region,
  country,
  display,
  currency,
  currency_shown: `money of ${display}`,
});
const MARKETS = [
  market('universal', 'BR', 'Brazil', 'BRL'),
  market('useuro', 'DE', 'Germany', 'EUR'),
  market('universal', 'US', 'United States', 'USD'),
];
const PATH = '/api/config/markets';
const page = { region: 'universal', country: 'US', hasMarkets: true } as const;
const assign = vi.fn<(url: string | URL) => void>();

beforeEach(() => {
  assign.mockReset();
  vi.spyOn(location, 'assign').mockImplementation(assign);
});
afterEach(() => {
  clearRegion();
  vi.restoreAllMocks();
});

async function open(list = MARKETS, more: Partial<PageData> = {}): Promise<void> {
  serve({ [PATH]: { content: { list } } });
  await draw(<CountryPicker />, { ...page, ...more });
  keepRegion('universal');
  await settle();
  await press('United States');
  await appear(list.at(-1)?.display ?? '', 'li button');
}

test('is not there where a brand sells in one country only', async () => {
  await draw(<CountryPicker />, { ...page, hasMarkets: false });
  expect(document.querySelector('button')).toBeNull();
});

test('L98 another country of the region changes prices without a new page, and is kept for page and server', async () => {
  await open();
  expect(find('United States', 'li button').getAttribute('aria-current')).toBe('true');
  await press('Brazil');
  expect(assign).not.toHaveBeenCalled();
  expect([currentRegion(), loadText('country')]).toEqual(['universal', 'BR']);
  expect(document.cookie).toContain('refill_country=BR');
  await appear('Brazil', 'button');
});

test('L98 a country of another region takes the region with it and starts the page again', async () => {
  history.replaceState(null, '', '/selectGoods?client_id=70013&domain_area=universal');
  await open();
  await press('Germany');
  expect([currentRegion(), loadText('domainArea'), loadText('country')]).toEqual(['useuro', 'useuro', 'DE']);
  expect(String(assign.mock.calls[0]?.[0])).toMatch(/\/selectGoods\?client_id=70013$/);
});

test('L98 a region that is chosen goes before the one that the client of the address is tied to', async () => {
  history.replaceState(null, '', '/selectGoods?client_id=70011');
  await open(MARKETS, { clientRegions: { '70011': 'universal', '70012': 'useuro' } });
  await press('Germany');
  expect(String(assign.mock.calls[0]?.[0])).toMatch(/\/selectGoods\?client_id=70011&domain_area=useuro$/);
  // Another game of the page moves nobody either.
  expect([keptArea('70011'), keptArea('70012'), keptArea('70013')]).toEqual([{ domain_area: 'useuro' }, {}, {}]);
});

test('a long list is searched by name, code and currency', async () => {
  const more = Array.from({ length: 8 }, (_, index) => market('sea', `X${index}`, `Éland ${index}`, 'THB'));
  await open([...more, ...MARKETS]);
  const rows = () => [...document.querySelectorAll('li button bdi:first-child')].map((row) => row.textContent);
  await type('Search', 'brl');
  expect(rows()).toContain('Brazil');
  expect(rows()).not.toContain('Germany');
  await type('Search', 'eland 3');
  expect(rows()).toContain('Éland 3');
  await type('Search', 'nowhere');
  expect(shownText()).toContain('No country found');
});
