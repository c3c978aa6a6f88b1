// Accounts for flows in a browser, in brands that keep the passwords themselves. Simulated
// games know every name already.
import { randomUUID } from 'node:crypto';
import type { BrandKey, GameId, PlayerId, ReplenishId } from '#kernel/ids.ts';
import { type Currency, parseDecimal } from '#kernel/money.ts';
import { openReplenish } from '#server/modules/replenish/store.ts';
import { ulid } from 'ulid';
import { demoPepper } from '#scripts/start/start-demo-settings.ts';
import { createAccountsService } from '#server/modules/accounts/service.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { issueCards } from '#server/modules/giftcards/issue-cards.ts';
import type { NewBatch } from '#server/modules/giftcards/store.ts';
import { declareAge } from '#server/modules/spending/store.ts';
import { creditWallet } from '#server/modules/wallet/store.ts';
import { openDb } from '#server/platform/database/db.ts';
import { createLoginLimits } from '#server/platform/limits/login-limits.ts';
import { createLog } from '#server/platform/log.ts';
import { giveTestCoupon } from './coupons.ts';

export type TestPlayers = {
  /**
   * The name is the user id in the simulated games as well. Of age, so that no cap of minors stands in the way.
   * @param isAgeUnknown the player is to be asked
   */
  save: (brand: string, name: string, password: string, isAgeUnknown?: boolean) => Promise<void>;
  /** A prepaid card of the demonstration, good in every shop that charges its currency; `face` in minor units. */
  issueCard: (
    currency: Currency,
    face: number,
    channel: NewBatch['channel'],
  ) => Promise<{ cardId: string; password: string }>;
  /** Puts money on a player's balance. */
  credit: (brand: string, name: string, currency: Currency, amount: number) => Promise<void>;
  /** Gives a player a fifth off, to be claimed; the code. */
  giveCoupon: (brand: string, name: string) => Promise<string>;
  /** A make-up payment of a player, of a game's client (empty for the brand's first); its number. */
  openReplenish: (brand: string, name: string, clientId: string, validSeconds: number) => Promise<ReplenishId>;
  /** The client that a login in a brand is for, unless the page has another one. */
  clientOf: (brand: string) => string;
  close: () => Promise<void>;
};

/** @param databaseUrl of a database with the shipped configuration */
export async function openTestPlayers(databaseUrl: string): Promise<TestPlayers> {
  const db = openDb(databaseUrl, { max: 2, onError: () => {} });
  const configuration = await loadConfiguration(db);
  const accounts = createAccountsService({
    db,
    configuration: () => configuration,
    log: createLog('silent'),
    limits: createLoginLimits(db, 1),
    gameAccounts: { provider: 'game', verifyPassword: async () => ({ kind: 'unavailable' }) },
  });
  const playerOf = async (brand: string, name: string): Promise<PlayerId> => {
    const { rows } = await db.query<{ player_id: PlayerId }>(
      'select player_id from player where brand_key = $1 and username = $2',
      [brand, name],
    );
    if (!rows[0]) throw new Error(`nobody in ${brand} is called ${name}`);
    return rows[0].player_id;
  };
  const clientOf = (brand: string): string => {
    const [first] = configuration.brands.get(brand as BrandKey)?.file.games ?? [];
    const own = first && configuration.games.get(first as GameId)?.file;
    return own ? (own.subGames?.[0]?.clientId ?? own.clients.web) : '';
  };
  return {
    clientOf,
    save: async (brand, name, password, isAgeUnknown = false) => {
      const account = { brandKey: brand as BrandKey, username: name, suid: name, password };
      const playerId = await accounts.saveAccount(account);
      if (!isAgeUnknown) await declareAge(db, playerId, { birthYear: 1990, birthMonth: 1, hasConsent: false }, null);
    },
    issueCard: async (currency, face, channel) => {
      const batch: NewBatch = {
        batch_id: `test-${randomUUID()}`,
        brand_key: null,
        channel,
        currency,
        face_minor: face,
        game_id: null,
        product_id: null,
        gems_number: 0,
        extra_gems: 0,
        valid_to: new Date(Date.now() + 86_400_000),
        issued_by: 'test',
      };
      const [card] = await issueCards(db, { batch, count: 1, pepper: demoPepper({}), isActive: true, issuedTo: null });
      if (!card) throw new Error('no card was made');
      return card;
    },
    credit: async (brand, name, currency, amount) => {
      const outcome = await creditWallet(db, {
        player_id: await playerOf(brand, name),
        external_id: randomUUID(),
        currency,
        amount_minor: amount,
        kind: 'paid',
        reason: 'test',
        actor: 'test',
      });
      if (!outcome) throw new Error(`the balance of ${name} was not credited`);
    },
    giveCoupon: async (brand, name) => {
      const whose = { brandKey: brand as BrandKey, isClaimable: true };
      return giveTestCoupon(db, await playerOf(brand, name), whose);
    },
    openReplenish: async (brand, name, clientId, validSeconds) => {
      const found = configuration.brands.get(brand as BrandKey);
      const client = clientId || clientOf(brand);
      const game = configuration.gameOfClient(client)?.game;
      // Some currencies have no minor units.
      const amount = found && (parseDecimal('12.50', found.currency) ?? parseDecimal('1250', found.currency));
      if (!found || !game || !amount) throw new Error(`${brand} has no client ${clientId}`);
      const opened = await openReplenish(db, {
        replenish_id: `RP-${ulid()}` as ReplenishId,
        player_id: await playerOf(brand, name),
        brand_key: found.key,
        game_id: game.id,
        client_id: client,
        amount_minor: amount.amountMinor,
        currency: amount.currency,
        reason: 'test',
        opened_by: 'test',
        reference: null,
        valid_seconds: validSeconds,
      });
      if (!opened) throw new Error('no make-up payment was opened');
      return opened.replenish_id;
    },
    close: () => db.end(),
  };
}
