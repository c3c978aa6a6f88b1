// Tests the guessed market of a first visit, and how the page shows money there: the shipped brands, over HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BootData } from '#contracts/boot.ts';
import { createHttp } from '#server/platform/http/http.ts';
import { createTestShop, type TestShop } from '#testing/shop.ts';
import { gatherBootData } from './boot-data.ts';

const PROXY = '10.9.8.7';
const sources = {
  messagesOf: () => ({ messages: {}, messagesUrls: {} }),
  readPicture: async () => ({ url: '/picture.svg' }),
};

let shop: TestShop;
let app: ReturnType<typeof createHttp>;
beforeAll(async () => {
  shop = await createTestShop({
    environment: { REFILL_COUNTRY_HEADER: 'CF-IPCountry', REFILL_TRUSTED_PROXIES: PROXY },
  });
  app = createHttp(shop.services);
  app.get('/boot', (request) => gatherBootData(shop.services, sources, request));
});
afterAll(async () => {
  await app.close();
  await shop.close();
});

async function visit(brand: string, headers: Record<string, string> = {}, query = '', remoteAddress = '127.0.0.1') {
  const host = `${brand.toLowerCase()}.demo.localhost`;
  const answer = await app.inject({ url: `/boot${query}`, headers: { host, ...headers }, remoteAddress });
  return answer.json<BootData>();
}
const placeOf = ({ region, country, goods }: BootData) => `${region} ${country} ${goods?.currency}`;

describe('L98 the region of a first visit', () => {
  test('follows the language tag: joyage for a Brazilian is Brazil, in real, with Pix', async () => {
    const boot = await visit('joyage', { 'accept-language': 'pt-BR,pt;q=0.9,en-US;q=0.8' });
    expect(placeOf(boot)).toBe('universal BR BRL');
    expect(boot).toMatchObject({ language: 'pt', hasMarkets: true });
    expect(boot.goods?.list[0]?.price_shown).toMatch(/^R\$\d/);
    const [first] = boot.goods?.list ?? [];
    const query = `client_id=${boot.clientId}&product_id=${first?.value}&domain_area=${boot.region}&country=${boot.country}`;
    const pix = shop.configuration.channels.filter(
      ({ file }) =>
        file.regions.includes('universal') &&
        file.countries.includes('BR') &&
        file.currencies.includes('BRL') &&
        (file.sub ?? [file]).some(({ method }) => method === 'pix'),
    );
    expect(pix).not.toEqual([]);
    const channels = await shop.get<{ country: string }>(`/api/pay/getPayChannelList?${query}`, { brand: 'joyage' });
    expect(channels.content.country).toBe('BR');
  });

  test.each([
    ['watt', 'th', 'sea TH THB'],
    ['watt', 'ja-JP,ja;q=0.9,en-US;q=0.8', 'ja JP JPY'],
    ['watt', 'en', 'universal US USD'],
    ['watt', 'not a tag, *;q=0.5', 'universal US USD'],
    ['spotJp', 'pt-BR', 'ja JP JPY'],
  ])('in %s for "%s" is %s', async (brand, accepted, place) => {
    expect(placeOf(await visit(brand, { 'accept-language': accepted }))).toBe(place);
  });

  test('is what the address asks for, whatever is kept or guessed, and nothing where that is not sold', async () => {
    const headers = { 'accept-language': 'pt-BR', cookie: 'refill_area=sea; refill_country=MY' };
    expect(placeOf(await visit('watt', headers, '?domain_area=kr'))).toBe('kr KR KRW');
    expect(await visit('watt', headers, '?domain_area=nowhere')).toMatchObject({
      region: null,
      country: '',
      goods: null,
    });
  });

  test('is what the browser kept before any guess', async () => {
    const cookie = 'refill_area=sea; refill_country=MY';
    expect(placeOf(await visit('watt', { 'accept-language': 'pt-BR', cookie }))).toBe('sea MY MYR');
  });

  test("comes from our own proxy's header before the language, and from nobody else's", async () => {
    const headers = { 'accept-language': 'ja', 'cf-ipcountry': 'BR' };
    expect(placeOf(await visit('watt', headers, '', PROXY))).toBe('universal BR BRL');
    expect(placeOf(await visit('watt', headers))).toBe('ja JP JPY');
    expect(placeOf(await visit('watt', { ...headers, 'cf-ipcountry': 'XX' }, '', PROXY))).toBe('ja JP JPY');
  });
});

test('L124 money: local writes amounts as the language does, in page, list and order alike', async () => {
  const shown = async (brand: string) => (await visit(brand)).goods?.list[0]?.price_shown ?? '';
  expect(await shown('ru')).toMatch(/^[\d\u00a0]+,\d\d\u00a0₽$/u);
  expect(await shown('spotJp')).toMatch(/^￥[\d,]+$/u);
  expect(await shown('ssgame')).toMatch(/^NT\$[\d,]+\.\d\d$/u);
});

test('money: local writes the numbers in names of goods as the language does', async () => {
  const names = async (brand: string, headers: Record<string, string> = {}) => {
    const { brand: shown, goods } = await visit(brand, headers);
    return { isLocal: shown.hasLocalCounts, names: (goods?.list ?? []).map(({ display }) => display).join(' | ') };
  };
  const german = { 'accept-language': 'de' };
  const local = await names('rhinos', german);
  expect(local.isLocal).toBe(true);
  expect(local.names).toMatch(/\d\.\d{3} /);
  expect(local.names).not.toMatch(/\d,\d{3} /);
  expect((await names('ru')).names).toMatch(/\d\u00a0\d{3} /u);
  const other = await names('watt', german);
  expect(other.isLocal).toBe(false);
  expect(other.names).toMatch(/\d,\d{3} /);
});

test('lists all countries of the brand by name, with their currencies', async () => {
  type List = {
    list: { region: string; country: string; display: string; currency: string; currency_shown: string }[];
  };
  const { content } = await shop.get<List>('/api/config/markets?spec_lang=pt&domain_area=useuro', { brand: 'joyage' });
  expect(content.list).toContainEqual({
    region: 'universal',
    country: 'BR',
    display: 'Brasil',
    currency: 'BRL',
    currency_shown: 'Real brasileiro',
  });
  const names = content.list.map(({ display }) => display);
  expect(names).toEqual(names.toSorted(new Intl.Collator('pt').compare));
  expect(new Set(content.list.map(({ country, currency }) => `${country} ${currency}`)).size).toBe(names.length);
});
