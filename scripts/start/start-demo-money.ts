// Makes money that a demonstration can spend beside the simulated providers: prepaid cards, balances and coupons. Made
// by the same functions as an operator's, and the same at every start as long as it is not spent.
import { createHmac } from 'node:crypto';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { type Currency, isCurrency, parseDecimal } from '#kernel/money.ts';
import type { Brand, Configuration } from '#server/modules/configuration/service.ts';
import { giveCoupons } from '#server/modules/coupons/service.ts';
import { withCheckCharacter } from '#server/modules/giftcards/check-character.ts';
import { hashCardPassword } from '#server/modules/giftcards/card-secret.ts';
import { spaceOut } from '#server/modules/giftcards/service.ts';
import { type NewBatch, findCard, insertCards } from '#server/modules/giftcards/store.ts';
import { creditWallet } from '#server/modules/wallet/store.ts';
import type { Db } from '#server/platform/database/db.ts';
import { CODE_ALPHABET } from '#server/platform/random-code.ts';
import { demoPepper } from './start-demo-settings.ts';
import type { DemoCard } from './start-print.ts';

/** Names of the coupons that demo players begin with. */
const FIFTH_OFF = {
  en: 'A fifth off',
  de: '20 % Rabatt',
  es: '20 % de descuento',
  fr: '20 % de réduction',
  id: 'Diskon 20%',
  it: 'Sconto del 20%',
  ja: '2割引',
  ko: '20% 할인',
  ms: 'Diskaun 20%',
  pl: '20% zniżki',
  pt: '20% de desconto',
  ru: 'Скидка 20 %',
  th: 'ส่วนลด 20%',
  tr: '%20 indirim',
  vi: 'Giảm 20%',
  'zh-cn': '八折',
  'zh-tw': '八折',
  ar: 'خصم الخُمس',
};
const TENTH_OFF = {
  en: 'A tenth off',
  de: '10 % Rabatt',
  es: '10 % de descuento',
  fr: '10 % de réduction',
  id: 'Diskon 10%',
  it: 'Sconto del 10%',
  ja: '1割引',
  ko: '10% 할인',
  ms: 'Diskaun 10%',
  pl: '10% zniżki',
  pt: '10% de desconto',
  ru: 'Скидка 10 %',
  th: 'ส่วนลด 10%',
  tr: '%10 indirim',
  vi: 'Giảm 10%',
  'zh-cn': '九折',
  'zh-tw': '九折',
  ar: 'خصم العُشر',
};

export type DemoPlayer = { playerId: PlayerId; brandKey: BrandKey };

/** About the price of a pack in the middle of a shelf, so that a card buys one and a balance several. */
const FACES: Partial<Record<Currency, string>> = {
  USD: '20', EUR: '20', JPY: '3200', KRW: '29000', TWD: '660', THB: '700', VND: '500000', IDR: '320000', MYR: '90', TRY: '800', BRL: '110', RUB: '1800',
}; /* a row a line */ // prettier-ignore
/** Those that `npm start` prints; the others exist as well. */
const PRINTED: readonly Currency[] = ['USD', 'EUR', 'JPY', 'KRW', 'TWD'];
const LONG_MS = 10 * 365 * 86_400_000;

/**
 * Cards of every currency that a brand charges, and one that is turned into goods by itself. @returns those to print
 */
export async function seedCards(
  db: Db,
  configuration: Configuration,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DemoCard[]> {
  const pepper = demoPepper(environment);
  const currencies = [
    ...new Set(
      [...configuration.brands.values()].flatMap((brand) => [
        brand.currency,
        ...[...brand.regions.values()].flatMap((region) => region.countries.map((country) => country.currency)),
      ]),
    ),
  ];
  const printed: DemoCard[] = [];
  for (const currency of currencies) {
    const face = parseDecimal(FACES[currency] ?? '20', currency)?.amountMinor ?? 2000;
    const card = await ensureCard(db, pepper, `DEMO${currency}`, {
      ...aBatch(`DEMO-${currency}`),
      currency,
      face_minor: face,
    });
    const shop = PRINTED.includes(currency) && findShop(configuration, 'card', currency);
    if (shop)
      printed.push({ ...card, note: `${FACES[currency]} ${currency}, in any shop that charges it, e.g. ${shop}` });
  }
  const other = await ensureCard(db, pepper, 'DEMO43', {
    ...aBatch('DEMO-43'),
    currency: 'USD',
    face_minor: 2000,
    channel: 'card43',
  });
  const shop43 = findShop(configuration, 'card43', 'USD');
  if (shop43) printed.push({ ...other, note: `20 USD, by the channel "43 Card", e.g. in ${shop43}` });
  const goods = await seedGoodsCard(db, configuration, pepper);
  return goods ? [...printed, goods] : printed;
}

/** A card that is worth certain goods, for the gift tab. Null: no game has such goods, or no brand takes cards. */
async function seedGoodsCard(db: Db, configuration: Configuration, pepper: string): Promise<DemoCard | null> {
  const game = [...configuration.games.values()].find((one) => [...one.products.values()].some(isGoods));
  const product = game && [...game.products.values()].find(isGoods);
  const price = product?.prices.get('USD');
  const brand = game && findShop(configuration, 'card', 'USD', ({ file }) => file.games.includes(game.id));
  if (!game || !product || !price || !brand) return null;
  const card = await ensureCard(db, pepper, 'DEMOGEMS', {
    ...aBatch(`DEMO-${product.id}`),
    currency: price.currency,
    face_minor: price.amountMinor,
    game_id: game.id,
    product_id: product.id,
    gems_number: product.file.amount ?? 0,
    extra_gems: Math.ceil((product.file.amount ?? 0) / 10),
  });
  const what = `${product.name.en} of ${game.file.name.en}`;
  return { ...card, note: `${what}, with a tenth more: tab "Gift card", e.g. in ${brand}` };
}

/**
 * The first brand where a channel that takes prepaid cards is offered for a currency; null:
 * nobody could spend such a card.
 */
function findShop(
  configuration: Configuration,
  payId: string,
  currency: Currency,
  sells: (brand: Brand) => boolean = () => true,
): string | null {
  const channels = configuration.channels.filter(({ file }) => file.id === payId && file.currencies.includes(currency));
  const isOffered = (brand: Brand): boolean =>
    channels.some(
      ({ file }) =>
        (!file.brands || file.brands.includes(brand.key)) &&
        file.regions.some((name) =>
          brand.regions
            .get(name)
            ?.countries.some(
              ({ code, currency: charged }) =>
                charged === currency && (file.countries.includes(code) || file.countries.includes('GLOBAL')),
            ),
        ),
    );
  return [...configuration.brands.values()].find((brand) => sells(brand) && isOffered(brand))?.key ?? null;
}

/** Goods that are counted and take coupons: a pack of the game's money, not a pass. */
const isGoods = ({ file }: { file: { amount?: number; isCoupon?: boolean } }) =>
  file.isCoupon === true && (file.amount ?? 0) > 0;

function aBatch(id: string): Omit<NewBatch, 'currency' | 'face_minor'> {
  return {
    batch_id: id,
    brand_key: null,
    channel: 'card',
    game_id: null,
    product_id: null,
    gems_number: 0,
    extra_gems: 0,
    valid_to: new Date(Date.now() + LONG_MS),
    issued_by: 'npm start',
  };
}

/** The first card of its row that is not spent; its password comes from its number, so that it can be printed again. */
async function ensureCard(db: Db, pepper: string, prefix: string, batch: NewBatch): Promise<Omit<DemoCard, 'note'>> {
  for (let turn = 2; ; turn += 1) {
    const cardId = `${prefix}${turn}`;
    const digest = createHmac('sha256', pepper).update(`demo:${cardId}`).digest();
    const letters = [...digest.subarray(0, 23)].map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]);
    const password = withCheckCharacter(letters.join(''));
    const made = await insertCards(db, batch, [{ cardId, passwordHmac: hashCardPassword(pepper, password) }], {
      isActive: true,
      issuedTo: null,
    });
    if (made.length === 1 || (await findCard(db, cardId))?.card['state'] === 'active')
      return { number: cardId, password: spaceOut(password) };
  }
}

/** Balances in every currency of their brand and two coupons for each demo player, once. */
export async function seedPlayers(db: Db, configuration: Configuration, players: readonly DemoPlayer[]): Promise<void> {
  const now = Date.now();
  for (const { playerId, brandKey } of players) {
    const brand = configuration.brands.get(brandKey);
    const currencies = new Set(
      [...(brand?.regions.values() ?? [])].flatMap((region) => region.countries.map((country) => country.currency)),
    );
    for (const currency of currencies) {
      const face = parseDecimal(FACES[currency] ?? '20', currency)?.amountMinor;
      if (!face || !isCurrency(currency)) continue;
      for (const [kind, amount] of [
        ['paid', face * 3],
        ['free', Math.ceil(face / 10)],
      ] as const)
        await creditWallet(db, {
          player_id: playerId,
          external_id: `demo/${playerId}/${currency}/${kind}`,
          currency,
          amount_minor: amount,
          kind,
          reason: 'demonstration',
          actor: 'npm start',
        });
    }
    const gift = { playerId, brandKey, validFrom: now - 1000, validEnd: now + LONG_MS, source: 'npm start' };
    await giveCoupons(db, [
      {
        ...gift,
        name: FIFTH_OFF,
        discountRate: '0.8',
        issueKey: 'demo-1',
      },
      {
        ...gift,
        name: TENTH_OFF,
        discountRate: '0.9',
        issueKey: 'demo-2',
        isClaimable: true,
      },
    ]);
  }
}
