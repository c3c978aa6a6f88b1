// Every provider through its own page, as a person pays on it: from the channel in the list to the goods in the game.
// PayPal, Adyen and Xsolla are bought with in purchase.e2e.ts.
import { expect, test } from './flow.ts';
import { expectDelivered } from './proof.ts';
import { payOnProvider } from './provider-page.ts';

type Way = {
  /** As in channels.yaml, "id" or "id/way inside it". */
  channel: string;
  region: string;
  /** Name in the list of countries, where the region has more than one and it is not the first. */
  country?: string;
  /** What the provider's page asks for, by label. */
  fields?: Readonly<Record<string, string>>;
  screen?: '@phone' | '@desktop';
};

const WAYS: readonly Way[] = [
  { channel: 'airwallex-card', region: 'universal' },
  { channel: 'airwallex', region: 'ja' },
  { channel: 'airwallex-tng', region: 'sea', country: 'Malaysia' },
  { channel: 'alipay', region: 'universal' },
  { channel: 'alipay-card', region: 'universal' },
  { channel: 'codapay', region: 'sea', country: 'Malaysia' },
  { channel: 'ebanx/pix', region: 'universal', country: 'Brazil' },
  { channel: 'funtap', region: 'sea', country: 'Vietnam' },
  { channel: 'kakao', region: 'kr' },
  { channel: 'mycard-ingame', region: 'twhk' },
  { channel: 'mycard-points', region: 'twhk' },
  { channel: 'mycard-billing', region: 'twhk' },
  { channel: 'naver', region: 'kr' },
  { channel: 'payermax', region: 'universal' },
  { channel: 'razer-gold', region: 'twhk' },
  {
    channel: 'razer-gold-pin',
    region: 'twhk',
    // A PIN pays what it is worth; what differs from the price goes to a person.
    fields: { 'PIN (its text names its value)': 'TWD-165.00-00000000' },
  },
  { channel: 'travellet', region: 'universal' },
];

test.use({ brand: 'watt' });

for (const { channel, region, country, fields = {}, screen = '@phone' } of WAYS) {
  test(`a purchase by ${channel} arrives in the game`, { tag: screen }, async ({ shopPage, player }) => {
    await shopPage.open('/', { domain_area: region });
    await shopPage.logIn(player);
    await shopPage.chooseCharacter();
    if (country) await shopPage.page.getByLabel(shopPage.text('goods.country')).selectOption({ label: country });
    await shopPage.chooseGoods();
    const { billingNo, window } = await shopPage.pay(channel);
    await shopPage.expectResult('result.pending_title');
    for (const [label, value] of Object.entries(fields)) await window.getByLabel(label).fill(value);
    await payOnProvider(window, 'Pay');
    await shopPage.expectResult('result.success_title', 20_000);
    await shopPage.button('result.success_done').click();
    await expect(shopPage.result).toBeHidden();
    await expectDelivered(billingNo, player);
  });
}
