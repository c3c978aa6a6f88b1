// Tests that the three steps say only what is so: of tax where the brand's file does, and the ways to pay that are there.
import { expect, test } from 'vitest';
import { english } from '#testing/english.ts';
import { draw, shownText, speak } from '#web/platform/test-page.tsx';
import { keepRegion } from '#web/platform/region.ts';
import { HowItWorks } from './HowItWorks.tsx';

speak(english);

const region = 'universal';
const place = { region, country: 'DE', regions: [{ region, name: 'Everywhere', taxIn: ['DE'] }] } as const;

async function show(country: 'DE' | 'US', ways: { names: string[]; isMore: boolean }) {
  await draw(null);
  keepRegion(region, country);
  await draw(<HowItWorks />, { ...place, country, regions: [...place.regions], ways });
  return shownText();
}

test('tax is named where the prices include it, and nowhere else', async () => {
  const ways = { names: ['Card'], isMore: false };
  expect(await show('DE', ways)).toContain('tax included');
  const plain = await show('US', ways);
  expect(plain).not.toContain('tax');
  expect(plain).toContain('You see the price before you pay.');
});

test.each([
  [{ names: ['Card', 'PayPal'], isMore: false }, 'Card, PayPal', false],
  [{ names: ['Card', 'PayPal', 'Pix'], isMore: true }, 'Card, PayPal, Pix and more', true],
])('the ways to pay are those of the place: %j', async (ways, words, hasMore) => {
  const shown = await show('US', ways);
  expect(shown).toContain(words);
  expect(shown.includes('and more')).toBe(hasMore);
});

test('another country than that of the document has no word about them', async () => {
  await show('US', { names: ['Card'], isMore: false });
  keepRegion(region, 'DE');
  await draw(<HowItWorks />, {
    ...place,
    country: 'US',
    regions: [...place.regions],
    ways: { names: ['Kiosk'], isMore: false },
  });
  expect(shownText()).not.toContain('Kiosk');
});
