// The last look before paying: what it says, and the consent that a press waits for.
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { readBoot } from '#web/platform/boot.ts';
import { draw, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { CheckoutFoot } from './CheckoutParts.tsx';
import { ConfirmationLines, ConsentLine } from './FinalConfirmation.tsx';
import { useCheckout } from './use-checkout.ts';

speak(english);
const order = {
  product: { title: '320 Crystals', gift: '', art: 'pack-1' },
  game: 'Emberfall',
  character: 'Kestrel',
  server: 'S1',
  price: '¥800',
  listPrice: '',
};
const said = { seller: 'AceNet K.K.', payment: 'At once', delivery: 'Within minutes', returns: 'None once delivered' };

test('Japan: product, character, seller, terms and amount, and a sentence beside the button', async () => {
  const confirmation = { form: 'japan' as const, ...said };
  const consent = <ConsentLine confirmation={confirmation} hasConsent={false} onConsent={() => undefined} />;
  await draw(
    <>
      <ConfirmationLines confirmation={confirmation} order={order} />
      {consent}
    </>,
  );
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

test('a character and its server, each written its own way, stay apart', async () => {
  const names = { character: 'فارس الصحراء85', server: 'S11 Ironpine' };
  await draw(<ConfirmationLines confirmation={{ form: 'japan', ...said }} order={{ ...order, ...names }} />);
  // Letters of both ways of writing in one stretch would be mixed: "S11 85".
  const stretches = [...document.querySelectorAll('bdi:not(:has(bdi))')].map(({ textContent }) => textContent);
  expect(stretches).toEqual(expect.arrayContaining([names.character, names.server]));
});

test.each(['korea', 'eu'] as const)('%s: the right to withdraw, and a box to tick', async (form) => {
  const confirmation = { form, ...said, payment: '', delivery: '', returns: '' };
  const onConsent = vi.fn<(hasConsent: boolean) => void>();
  const consent = <ConsentLine confirmation={confirmation} hasConsent={false} onConsent={onConsent} />;
  await draw(
    <>
      <ConfirmationLines confirmation={confirmation} order={order} />
      {consent}
    </>,
  );
  expect(shownText()).toContain(english[`confirm.${form}_withdrawal`]);
  expect(shownText()).not.toContain(english['notice.trade_returns']);
  document.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
  await settle();
  expect(onConsent).toHaveBeenCalledWith(true);
});

const place = { clientId: '1', region: 'sea', country: 'SG', productId: 'p', price: '8', currency: 'USD' };
const target = {
  client_id: '1',
  server_id: 's1',
  role_id: 'r1',
  area_id: '',
  product_id: 'p',
  price_minor: 800,
  region: 'sea',
  country: 'SG',
};

function Checkout() {
  const [product, setProduct] = useState('p');
  const checkout = useCheckout({ order, place, target: { ...target, product_id: product }, onEnd: () => undefined });
  return (
    <>
      <button onClick={() => setProduct('other')}>Another pack</button>
      <CheckoutFoot checkout={checkout} />
    </>
  );
}

test('what was agreed to is one order: another product asks again', async () => {
  serve({ '/api/pay/getPayChannelList': { content: { country: 'SG', list: {}, methods: [] } } });
  await draw(<p>shop</p>);
  const { brand } = readBoot();
  await draw(<Checkout />, { brand: { ...brand, confirmations: { sea: { form: 'eu', ...said } } } });
  const isTicked = () => document.querySelector<HTMLInputElement>('input[type="checkbox"]')?.checked;
  document.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click();
  await settle();
  expect(isTicked()).toBe(true);
  await press('Another pack');
  expect(isTicked()).toBe(false);
});
