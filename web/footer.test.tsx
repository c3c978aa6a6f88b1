// The footer under a page of the real router: its landmark, its links after the game was changed, its popups.
import { beforeEach, expect, test, vi } from 'vitest';
import type { BrandTexts, PageData } from '#contracts/boot.ts';
import type { GameListItem } from '#contracts/games.ts';
import { NOTICE_ITEMS } from '#contracts/notices.ts';
import { english } from '#testing/english.ts';
import { readBoot } from './platform/boot.ts';
import { keepRegion } from './platform/region.ts';
import { memoryAddresses } from './platform/router/history.ts';
import { appear, draw, find, press, settle, shownText, speak } from './platform/test-page.tsx';
import { createShopRouter, ShopPages } from './routes.tsx';

speak(english);
vi.mock('#web/ui/pictures/sprite.ts', () => ({ loadSprite: async () => undefined }));
beforeEach(() => localStorage.clear());

const sub = (client_id: string) => ({ client_id, gp_id: client_id, name: client_id, logo: '/x.svg' });
const game = (client_id: string, subs: string[]): GameListItem => ({
  client_id,
  gp_id: client_id,
  name: client_id,
  logo: '/x.svg',
  is_select_game: false,
  sub_game: Object.fromEntries(subs.map((id) => [id, sub(id)])),
  terms_link: `https://game.example/${client_id}/terms`,
  privacy_link: `https://game.example/${client_id}/privacy`,
});

async function open(brandOver: Partial<PageData['brand']> = {}, region: 'universal' | 'ja' = 'universal') {
  await draw(<p>shop</p>);
  const page: Partial<PageData> = {
    brand: { ...readBoot().brand, ...brandOver },
    games: [game('1', ['11', '12']), game('2', [])],
    clientId: '1',
    region,
    regions: [{ region, name: region }],
  };
  await draw(<p>shop</p>, page);
  const router = createShopRouter(memoryAddresses('/my?client_id=2'));
  await router.load();
  keepRegion(region);
  await draw(<ShopPages router={router} />, page);
  await appear(english['footer.terms'] as string);
  return router;
}
const terms = () => find(english['footer.terms'] as string, 'footer a').getAttribute('href');

test('L51 the links follow the game in use, a sub-game too, also after it was changed', async () => {
  const router = await open();
  expect(terms()).toBe('https://game.example/2/terms');
  await router.navigate({ to: '.', search: (before) => ({ ...before, client_id: '12' }) });
  await settle();
  expect(terms()).toBe('https://game.example/1/terms');
  for (const link of document.querySelectorAll('footer a')) expect(link.getAttribute('target')).toBe('_blank');
});

test('L51 the footer is a landmark of the page: beside main, not in it', async () => {
  await open();
  expect(document.querySelectorAll('footer')).toHaveLength(1);
  expect(document.querySelector('main footer, aside footer, section footer, article footer')).toBeNull();
});

/** Answers the brand's notices as the server would. */
function answerNotices(noticeItems: BrandTexts['noticeItems']): string[] {
  const asked: string[] = [];
  globalThis.fetch = async (address) => {
    asked.push(String(address));
    return Response.json({ noticeItems });
  };
  return asked;
}

test('L51 a notice of this area opens its popup, and is not there in another', async () => {
  const over = { areas: { ja: { notices: ['inquiry' as const], supportHours: '10:00-13:00' } } };
  await open(over);
  expect(shownText()).not.toContain(english['footer.inquiry']);
  await open(over, 'ja');
  answerNotices({ inquiry: [{ item: 'contact', text: 'Watt K.K.' }] });
  await press(english['footer.inquiry'] as string);
  await expect.poll(shownText).toContain('Support hours10:00-13:00 daily');
  expect(shownText()).toContain('ContactWatt K.K.');
});

test('L212 a notice names the hours of the specification where the brand names none', async () => {
  await open({ notices: ['inquiry'] });
  answerNotices({ inquiry: [{ item: 'contact', text: 'Watt K.K.' }] });
  await press(english['footer.inquiry'] as string);
  await expect.poll(shownText).toContain('10:00-13:00, 14:30-19:00 daily');
});

test('L19 the notice of trade law says every item of the brand, as plain text', async () => {
  await open({ notices: ['trade'] });
  const items = NOTICE_ITEMS.trade.map((item) => ({ item, text: `<b>${item}</b> of Watt` }));
  const asked = answerNotices({ trade: items });
  await press(english['footer.trade'] as string);
  await expect.poll(shownText).toContain('Seller<b>seller</b> of Watt');
  const shown = [...document.querySelectorAll('[role="dialog"] dl > div')].map((one) => one.textContent);
  expect(shown).toEqual(items.map(({ item, text }) => `${english[`notice.trade_${item}`]}${text}`));
  expect(asked).toEqual(['/brand-texts.json?spec_lang=en']);
});

test('L126 the notice of prepaid payment names the monthly caps', async () => {
  await open({ notices: ['topup'] });
  answerNotices({ topup: NOTICE_ITEMS.topup.map((item) => ({ item, text: item })) });
  await press(english['footer.topup'] as string);
  await expect.poll(shownText).toContain('Under 16: ¥5,000 a month');
  for (const words of ['16 to under 18: ¥20,000 a month', '18 and over: no limit'])
    expect(shownText()).toContain(words);
});

test('L18 the way to customer service stands there with its hours', async () => {
  await open({ links: { ...readBoot().brand.links, support: 'https://help.example' }, supportHours: '9:00-17:00' });
  expect(find(english['footer.support'] as string, 'footer a').getAttribute('href')).toBe('https://help.example');
  expect(document.querySelector('footer nav bdi')?.textContent).toBe('9:00-17:00');
});

test.each([
  ['ja', 'https://help.example/ja'],
  ['universal', 'https://help.example'],
] as const)('L18 a wrong make-up link in %s leads to the customer service of that area', async (region, address) => {
  const router = await open(
    {
      links: { ...readBoot().brand.links, support: 'https://help.example' },
      areas: { ja: { links: { support: 'https://help.example/ja' } } },
    },
    region,
  );
  await router.navigate({ to: '/errorReplenish' });
  await expect.poll(shownText).toContain(english['error_params.title']);
  expect(find(english['footer.support'] as string, 'main a').getAttribute('href')).toBe(address);
});

test('L53 a problem can be reported from every footer', async () => {
  const router = await open();
  const { connectReactions } = await import('./reactions-of-page.ts');
  connectReactions(router);
  await press(english['report.title'] as string);
  expect(await appear(english['report.send'] as string)).toBeTruthy();
});

test('L51 the VIP centre has none: goods, My and events do', async () => {
  const router = await open({ isVip: true });
  expect(document.querySelectorAll('footer')).toHaveLength(1);
  await router.navigate({ to: '/userCenter' });
  await settle();
  expect(router.place.path).toBe('/userCenter');
  expect(document.querySelectorAll('footer')).toHaveLength(0);
});
