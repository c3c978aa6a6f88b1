// The demo shop and the live shop that tests 41 and 41.1 compare: each with a database of its own and the variables of
// both.
import type { BrandKey } from '#kernel/ids.ts';
import { toOwnPath } from '#kernel/own-path.ts';
import type { Environment } from '#kernel/environment.ts';
import { hashToken, openBackupToken } from '#server/platform/http/session.ts';
import { issueBetaKey } from '#server/platform/http/beta.ts';
import { saveLink } from '#server/modules/accounts/links/link-store.ts';
import { TEST_PEPPER, issueTestCards } from '#testing/cards.ts';
import { giveTestBalance } from '#testing/balances.ts';
import { giveTestCoupon } from '#testing/coupons.ts';
import { pay, showRoles } from '#testing/pay.ts';
import type { TestPlayer, TestShop } from '#testing/shop.ts';
import { WHO } from './people.ts';
import type { TestHarness } from './test-harness.ts';
import type { Round } from './security-test.ts';

export const SECRETS = {
  demo: `whsec_${Buffer.from('the demo game server holds this secret').toString('base64')}`,
  live: `whsec_${Buffer.from('the live game server holds this secret').toString('base64')}`,
};
/** An operator may keep one file for both sides: a process reads its own half. */
const BOTH = {
  REFILL_GAME_STARLANE_DEMO_URL: 'http://127.0.0.1:9',
  REFILL_GAME_STARLANE_DEMO_SECRETS: SECRETS.demo,
  REFILL_GAME_STARLANE_LIVE_URL: 'https://game.example',
  REFILL_GAME_STARLANE_LIVE_SECRETS: SECRETS.live,
  REFILL_ADYEN_LIVE_KEY: 'adyen-live-key',
  // The same on both sides, as a careless operator has it: even so a card of the one is none in the other.
  REFILL_CARD_LIVE_PEPPER: TEST_PEPPER,
  REFILL_WALLET_LIVE_CREDIT_KEY: 'credit-key-of-the-live-side-0123456789',
};
export const HOSTS: Record<Environment, (brand: string) => string[]> = {
  demo: (brand) => [`${brand}.demo.localhost`, `pay-demo.${brand}.example`],
  live: (brand) => [`pay.${brand}.example`],
};

/** A shop, a player of it, and everything the player holds. */
export type Side = {
  readonly name: Environment;
  readonly shop: TestShop;
  readonly player: TestPlayer;
  readonly billingNo: string;
  readonly key: string;
  readonly coupon: string;
  readonly card: { readonly cardId: string; readonly password: string };
  readonly ticket: string;
  readonly betaKey: string;
  readonly backupToken: string;
  /** Texts that only answers about this player hold. */
  readonly marks: readonly string[];
};

async function openSide(harness: TestHarness, name: Environment): Promise<Side> {
  const shop = await harness.makeShop({ environment: { ...BOTH, REFILL_ENVIRONMENT: name } });
  // Both shops count from one, so names and user ids are the same: as for a person who is in both.
  const player = await shop.logIn();
  await showRoles(shop, player);
  const key = `key-of-one-order-${name}`;
  const placed = await pay(shop, player, { key });
  const coupon = await giveTestCoupon(shop.db, player.playerId, { name: { en: `Coupon of ${name}` } });
  await giveTestBalance(shop.db, player.playerId, name === 'demo' ? 77_701 : 88_802);
  const [card] = await issueTestCards(shop.db, 1, { batch_id: `BATCH-${name}` }, { issuedTo: player.playerId });
  if (!card || placed.code !== 1) throw new Error(`the ${name} side is not set up: ${placed.text}`);
  const ticket = `rt1_${name.padEnd(43, 'x')}`;
  await saveLink(
    shop.db,
    hashToken(ticket),
    {
      kind: 'ticket',
      brandKey: 'watt' as BrandKey,
      playerId: player.playerId,
      bound: null,
      linkTokenHash: null,
      returnTo: toOwnPath('/'),
    },
    { lifeSeconds: 600, messageId: null },
  );
  const { key: betaKey } = await issueBetaKey(shop.db, { brandKey: 'watt' as BrandKey, label: 'x', days: 1, by: 'x' });
  const who = await shop.get<{ oauth_token: string }>(WHO, { session: player });
  const publicId = who.content.oauth_token;
  const billingNo = placed.content.billing_no;
  return {
    name, shop, player, billingNo, key, coupon, card, ticket, betaKey,
    backupToken: await openBackupToken(shop.db, publicId),
    marks: [player.playerId, player.token, publicId, billingNo, coupon, card.cardId, name === 'demo' ? '777.01' : '888.02'],
  }; /* a row a line */ // prettier-ignore
}

export async function openSides({ harness, defer }: Round): Promise<{ demo: Side; live: Side }> {
  const demo = await openSide(harness, 'demo');
  defer(demo.shop.close);
  const live = await openSide(harness, 'live');
  defer(live.shop.close);
  return { demo, live };
}
