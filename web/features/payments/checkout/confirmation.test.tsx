// The last look before paying: what it says, and the consent that a press waits for.
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { english } from '#testing/english.ts';
import { readBoot } from '#web/platform/boot.ts';
import { setUser } from '#web/platform/visitor/session.ts';
import { draw, press, serve, settle, shownText, speak } from '#web/platform/test-page.tsx';
import { CheckoutFoot, CheckoutMethods } from './CheckoutParts.tsx';
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

const CHANNELS = {
  content: {
    country: 'SG',
    list: {
      SG: [
        {
          payway_id: 'c', channel_id: 'c-c', key: 'c', pay_id: 'c-p', name: 'Bank card', icon: '/icon.svg', sort: 0, min_money: '0', max_money: '0', min: '0', max: '0',
          method: 'c', description: '', hint: '', open_coupon: false, pay_path: 'adyen_pay', sub_payment: [],
        },
      ],
    },
    methods: [{ key: 'c', name: 'Bank card', mark: '/icon.svg', networks: [], hint: '', group: 'country', device: '', option: 'c', second: '' }],
  },
}; /* a row a line */ // prettier-ignore

function WholeCheckout({ onEnd }: { onEnd: (end: unknown) => void }) {
  const [product, setProduct] = useState('p');
  const shown = { ...place, region: 'universal' };
  const checkout = useCheckout({ order, place: shown, target: { ...target, product_id: product }, onEnd });
  return (
    <>
      <button onClick={() => setProduct('other')}>Another pack</button>
      <CheckoutMethods checkout={checkout} />
      <CheckoutFoot checkout={checkout} />
    </>
  );
}

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

test('nobody pays under a confirmation that was never in view: the first press leads there', async () => {
  const watched: ((entries: Partial<IntersectionObserverEntry>[]) => void)[] = [];
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: (typeof watched)[number]) {
        watched.push(tell);
      }
      observe() {}
      disconnect() {}
    },
  );
  const japan = { universal: { form: 'japan' as const, ...said } };
  const pays: unknown[] = [];
  vi.spyOn(window, 'open').mockReturnValue(null);
  const calls = serve({ '/api/pay/getPayChannelList': CHANNELS, '/api/pay/adyen_pay': { name: 'gameUnavailable' } });
  const paid = () => calls.filter(({ path }) => path === '/api/pay/adyen_pay').length;
  const page = { brand: { ...readBoot().brand, confirmations: japan } };
  await draw(<WholeCheckout onEnd={(end) => pays.push(end)} />, page);
  setUser({ username: 'kestrel@example', suid: 's', oauth_token: 'public-id', gp_id: '' });
  await press('Bank card');
  const scroll = vi.spyOn(Element.prototype, 'scrollIntoView');
  await press('Confirm the terms first');
  expect([paid(), scroll.mock.instances.some((one) => (one as Element).matches('[data-confirmation]'))]).toEqual([
    0,
    true,
  ]);
  await press('Pay ¥800');
  expect(paid()).toBe(1);
  // Another order is another confirmation; this one comes into view by itself.
  await press('Another pack');
  expect(shownText()).toContain('Confirm the terms first');
  const box = { intersectionRatio: 0.2, rootBounds: null, intersectionRect: { height: 10 } as DOMRect };
  watched.at(-1)?.([box]);
  await settle();
  expect(shownText()).toContain('Confirm the terms first');
  watched.at(-1)?.([{ ...box, intersectionRatio: 0.7 }]);
  await settle();
  expect(shownText()).toContain('Pay ¥800');
  // Account and character stand in the block, and nowhere else.
  expect(document.querySelector('[data-payer]')).toBeNull();
  expect(document.querySelector('[data-confirmation]')?.textContent).toContain('kestrel@example');
  vi.unstubAllGlobals();
});

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
