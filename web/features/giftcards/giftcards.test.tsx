// The gift tab in a document: when its button works, what a card shows, and what is sent once the player agrees.
import { beforeEach, expect, test, vi } from 'vitest';
import { decodeCardInfo } from '#contracts/card-info.ts';
import type { CardWorth, SpentCard } from '#contracts/giftcards.ts';
import { english } from '#testing/english.ts';
import { appear, draw, find, press, serve, settle, shownText, speak, type } from '#web/platform/test-page.tsx';
import { GiftPart, type GiftPartProps } from './GiftPart.tsx';
import { SpentCards } from './SpentCards.tsx';
import type { BuyableGoods, Bought } from './use-gift-card.ts';

speak(english);

const CHECK = '/api/pay/card_info';
const CONFIRM = '/api/pay/card_confirm';
const WORTH: CardWorth = {
  price: '$9.99',
  price_minor: 999,
  currency: 'USD',
  gems_number: 540,
  bonus_gems_number: 27,
  extra_gems_number: 54,
  gifts_shown: '+27 Bonus Lumens and +54 extra from the gift card',
  product_name: '540 Lumens',
  can_confirm: true,
  valid_end_time: 1_800_000_000_000,
  buys: [],
};
const MONEY: CardWorth = {
  ...WORTH, price: '$20.00', price_minor: 2000, gems_number: 0, bonus_gems_number: 0, extra_gems_number: 0,
  gifts_shown: '', product_name: '', can_confirm: false,
  buys: [{
    product_id: 'p1', product_name: '1,280 Crystals', content_shown: '+140 Bonus crystals', price_shown: '$19.99',
    price_minor: 1999, was_shown: '', rest_shown: '$0.01', offer_code: '', is_in_shop: false, art: 'pack-3',
  }],
}; /* a row a line */ // prettier-ignore

const onOrder = vi.fn<(billingNo: string) => void>();
const onChooseReceiver = vi.fn<() => void>();
const onBuy = vi.fn<(bought: Bought) => Promise<boolean>>();
const onShop = vi.fn<(goods: BuyableGoods | null) => void>();
const part = (over: Partial<GiftPartProps> = {}) => (
  <GiftPart
    place={{ clientId: '70021', region: 'universal', country: 'US' }}
    kinds={[{ pay_id: 'card', name: 'Prepaid card' }]}
    receiver={{ role_id: 'r1', server_id: 's1', area_id: 'a1', name: 'Kestrel' }}
    onChooseReceiver={onChooseReceiver}
    onBuy={onBuy}
    onShop={onShop}
    onOrder={onOrder}
    {...over}
  />
);
const checkButton = () => find('Check the card', 'button') as HTMLButtonElement;
async function enter(number = 'ABCD2345', password = 'WXYZ') {
  await type('Card number', number);
  await type('Card password', password);
}

beforeEach(() => {
  onOrder.mockReset();
  onChooseReceiver.mockReset();
  onBuy.mockReset().mockResolvedValue(true);
  onShop.mockReset();
});

test('L116 each field takes 80 characters at most, and the button works once both are filled', async () => {
  serve({});
  await draw(part());
  expect([...document.querySelectorAll('input')].map((input) => input.maxLength)).toEqual([80, 80]);
  expect(checkButton().disabled).toBe(true);
  await type('Card number', 'ABCD');
  expect(checkButton().disabled).toBe(true);
  await type('Card password', '   ');
  expect(checkButton().disabled).toBe(true);
  await type('Card password', 'WXYZ');
  expect(checkButton().disabled).toBe(false);
});

test('L207 face value and all gems that the card brings, its bonus and extra by name', async () => {
  const calls = serve({ [CHECK]: { content: WORTH } });
  await draw(part());
  await enter();
  await press('Check the card');
  const shown = [...document.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
  expect(shown).toEqual(['Face value$9.99', 'You get621including 81 bonus']);
  expect(shownText()).toContain('540 Lumens +27 Bonus Lumens and +54 extra from the gift card');
  expect(calls[0]?.fields).toMatchObject({
    client_id: '70021',
    pay_id: 'card',
    domain_area: 'universal',
    country: 'US',
  });
  expect(decodeCardInfo(String(calls[0]?.fields['card_info']))).toMatchObject({
    cardId: 'ABCD2345',
    cardPassword: 'WXYZ',
  });
});

test('L177 the confirm call names card, character and platform, after tip_recharge_confirm was agreed to', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 15) Mobile');
  const calls = serve({ [CHECK]: { content: WORTH }, [CONFIRM]: { content: { billing_no: 'B1', url: '' } } });
  await draw(part());
  await enter();
  await press('Check the card');
  await press('Get 540 Lumens');
  await appear('Use the card');
  expect(shownText()).toContain('Turn your $9.99 card into 540 Lumens for Kestrel?');
  expect(calls.map(({ path }) => path)).toEqual([CHECK]);
  await press('Use the card');
  await settle();
  expect(calls[1]).toMatchObject({
    path: CONFIRM,
    fields: { client_id: '70021', server_id: 's1', role_id: 'r1', areaId: 'a1', platform: 'android' },
  });
  expect(calls[1]?.fields['card_info']).toBe(calls[0]?.fields['card_info']);
  expect(onOrder).toHaveBeenCalledWith('B1');
  // The card is gone, the fields wait for the next one.
  expect(checkButton().disabled).toBe(true);
});

test('what was left open is asked for again under the same key', async () => {
  const calls = serve({
    [CHECK]: { content: WORTH },
    [CONFIRM]: [{ name: 'unavailable' }, { content: { billing_no: 'B1', url: '' } }],
  });
  await draw(part());
  await enter();
  await press('Check the card');
  await press('Get 540 Lumens');
  await press('Use the card');
  await settle();
  await press('Get 540 Lumens');
  await press('Use the card');
  await settle();
  const keys = calls.filter(({ path }) => path === CONFIRM).map(({ key }) => key);
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
});

test('without a character the press leads to the choice of one', async () => {
  serve({ [CHECK]: { content: WORTH } });
  await draw(part({ receiver: null }));
  await enter();
  await press('Check the card');
  await press('Choose your character');
  expect(onChooseReceiver).toHaveBeenCalledOnce();
});

test('L119 a card that is money shows what it buys and what goes to the balance, and asks before it pays', async () => {
  serve({ [CHECK]: { content: MONEY } });
  await draw(part());
  await enter();
  await press('Check the card');
  expect(shownText()).toContain('$0.01 goes to your balance');
  await press('1,280 Crystals, $19.99');
  expect(shownText()).toContain('Use your $20.00 card for 1,280 Crystals ($19.99)?');
  expect(onBuy).not.toHaveBeenCalled();
  await press('Pay $19.99');
  await settle();
  expect(onBuy.mock.calls[0]?.[0]).toMatchObject({ goods: { product_id: 'p1' }, kind: 'card' });
});

test('a deal has its price and the one before, and what comes with the goods is named', async () => {
  const deal = {
    ...MONEY.buys[0]!,
    price_shown: '$14.99',
    price_minor: 1499,
    was_shown: '$19.99',
    offer_code: 'offer:x',
  };
  serve({ [CHECK]: { content: { ...MONEY, buys: [deal] } } });
  await draw(part());
  await enter();
  await press('Check the card');
  expect(document.querySelector('li')?.textContent).toContain('+140 Bonus crystals');
  expect(document.querySelector('li s')?.textContent).toBe('Before: $19.99');
  await press('1,280 Crystals, $14.99');
  expect(shownText()).toContain('Use your $20.00 card for 1,280 Crystals ($14.99)?');
  await press('Pay $14.99');
  await settle();
  expect(onBuy.mock.calls[0]?.[0].goods).toMatchObject({ price_minor: 1499, offer_code: 'offer:x' });
});

test('goods whose deal the card cannot pay lead to the shop, and are not sold at the dearer price', async () => {
  serve({ [CHECK]: { content: { ...MONEY, buys: [{ ...MONEY.buys[0]!, price_shown: '$14.99', is_in_shop: true }] } } });
  await draw(part());
  await enter();
  await press('Check the card');
  expect(shownText()).toContain('At this price in the shop');
  await press('1,280 Crystals, $14.99');
  expect(onShop.mock.calls[0]?.[0]).toMatchObject({ product_id: 'p1' });
  expect(onBuy).not.toHaveBeenCalled();
});

test('what is wrong with a card stands above its fields', async () => {
  serve({ [CHECK]: { name: 'cardRefused' } });
  await draw(part());
  await enter();
  await press('Check the card');
  expect(document.querySelector('[role=alert]')?.textContent).toContain('says cardRefused');
});

test('where cards of two kinds are taken, the kind is chosen', async () => {
  const calls = serve({ [CHECK]: { content: WORTH } });
  await draw(
    part({
      kinds: [
        { pay_id: 'card', name: 'Prepaid card' },
        { pay_id: 'card43', name: '43 Card' },
      ],
    }),
  );
  const kind = document.querySelector('select')!;
  kind.value = 'card43';
  kind.dispatchEvent(new Event('change', { bubbles: true }));
  await enter();
  await press('Check the card');
  expect(calls[0]?.fields['pay_id']).toBe('card43');
});

test('cards that were used, with what became of them', async () => {
  const card: SpentCard = {
    billing_no: 'B7',
    card_end: '7K2M',
    worth_shown: '$20.00',
    product_name: '1,280 Crystals',
    role_name: 'Kestrel',
    extra_gems_number: 1280,
    rest_shown: '$0.01',
    spent_at: 1_800_000_000_000,
  };
  serve({ '/api/giftcards/history': { content: { list: [card] } } });
  const onOpen = vi.fn<(billingNo: string) => void>();
  await draw(<SpentCards onOpen={onOpen} />);
  await settle();
  expect(shownText()).toContain('Card ending in 7K2M · $20.00 · Kestrel');
  expect(shownText()).toContain('$0.01 went to your balance');
  expect(shownText()).toContain('+1,280');
  find('1,280 Crystals', 'li button').click();
  expect(onOpen).toHaveBeenCalledWith('B7');
});
