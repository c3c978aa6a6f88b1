// Changing the language of a living page: texts, direction, the brand's own words, and what the server is told.
import { expect, test } from 'vitest';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { english } from '#testing/english.ts';
import { useBrand } from './brand.ts';
import { currentLanguage, switchLanguage, t, useLanguage } from './i18n.ts';
import { draw, settle, shownText, speak } from './test-page.tsx';

speak(english);

function Words() {
  useLanguage();
  return (
    <p>
      {t('nav.my')} {t('game.editions', { count: 3 })} {useBrand().hero.title}
    </p>
  );
}

const arabic = {
  'nav.my': compileMessageOrThrow('حسابي'),
  'game.editions': compileMessageOrThrow('{count, plural, one {واحد} few {# إصدارات} other {# إصدار}}'),
};

function answer(files: Record<string, unknown>): void {
  globalThis.fetch = async (input) => {
    const file = files[String(input)];
    return file ? Response.json(file) : new Response('', { status: 404 });
  };
}

const page = { messagesUrls: { en: '/messages/en.json', ar: '/messages/ar.json' } };

test('texts, plurals, direction and the brand follow', async () => {
  await draw(<Words />, page);
  expect(shownText()).toContain('My 3 editions Hello');
  answer({
    '/messages/ar.json': arabic,
    '/brand-texts.json?spec_lang=ar': { title: 'T', hero: { title: 'أهلا', text: '', chip: '' }, regions: [] },
  });
  expect(await switchLanguage('ar')).toBe(true);
  await settle();
  expect(shownText()).toContain('حسابي 3 إصدارات أهلا');
  expect([document.documentElement.lang, document.documentElement.dir]).toEqual(['ar', 'rtl']);
  expect(document.cookie).toContain('refill_lang=ar');
});

test('an amount in a sentence from right to left keeps its sign in front; names stay as they are', async () => {
  await draw(<Words />, page);
  const say = () => t('again.pay', { price: '$4.99', method: 'PayPal' });
  expect(say()).toBe('Pay $4.99 with PayPal');
  answer({ '/messages/ar.json': { 'again.pay': compileMessageOrThrow('ادفع {price} عبر {method}') } });
  expect(await switchLanguage('ar')).toBe(true);
  expect(say()).toBe('ادفع \u2068$4.99\u2069 عبر PayPal');
});

test('nothing changes when the messages do not come', async () => {
  await draw(<Words />, page);
  answer({});
  expect(await switchLanguage('ar')).toBe(false);
  expect(await switchLanguage('de')).toBe(false);
  expect(currentLanguage()).toBe('en');
});

test('the old words of the brand stay when only they are missing', async () => {
  await draw(<Words />, page);
  answer({ '/messages/ar.json': arabic });
  expect(await switchLanguage('ar')).toBe(true);
  await settle();
  expect(shownText()).toContain('حسابي 3 إصدارات Hello');
});
