// The last look before paying: what it says, and the consent that a press waits for.
import { expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { draw, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { ConfirmationLines, ConsentLine } from './FinalConfirmation.tsx';

speak(english);
const order = {
  product: { title: '320 Crystals', gift: '', art: 'pack-1' }, game: 'Emberfall', character: 'Kestrel', server: 'S1', price: '¥800', listPrice: '',
}; // prettier-ignore
const said = { seller: 'AceNet K.K.', payment: 'At once', delivery: 'Within minutes', returns: 'None once delivered' };

test('Japan: product, character, seller, terms and amount, and a sentence beside the button', async () => {
  const confirmation = { form: 'japan' as const, ...said };
  const consent = <ConsentLine confirmation={confirmation} hasConsent={false} onConsent={() => undefined} />;
  await draw(<><ConfirmationLines confirmation={confirmation} order={order} />{consent}</>); // prettier-ignore
  for (const words of [
    '320 Crystals',
    'Kestrel · S1',
    ...Object.values(said),
    '¥800',
    english['confirm.japan_consent'],
  ])
    expect(shownText()).toContain(words);
  expect(document.querySelector('input')).toBeNull();
});

test.each(['korea', 'eu'] as const)('%s: the right to withdraw, and a box to tick', async (form) => {
  const confirmation = { form, ...said, payment: '', delivery: '', returns: '' };
  const onConsent = vi.fn<(hasConsent: boolean) => void>();
  const consent = <ConsentLine confirmation={confirmation} hasConsent={false} onConsent={onConsent} />;
  await draw(<><ConfirmationLines confirmation={confirmation} order={order} />{consent}</>); // prettier-ignore
  expect(shownText()).toContain(english[`confirm.${form}_withdrawal`]);
  expect(shownText()).not.toContain(english['notice.trade_returns']);
  document.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
  await settle();
  expect(onConsent).toHaveBeenCalledWith(true);
});
