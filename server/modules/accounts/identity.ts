// The port behind a login with a password: who knows the game accounts. Built in, or the game's own server.
import type { BrandKey, PlayerId } from '#kernel/ids.ts';

/** `suid` is the user id the game knows; `subject` names the login inside its provider. */
export type VerifyOutcome =
  | { readonly kind: 'ok'; readonly suid: string; readonly subject: string; readonly username: string }
  | { readonly kind: 'wrong_credentials' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'unavailable' };

export type AccountStore = {
  /** Provider name of player_identity: "builtin" or "game". */
  readonly provider: string;
  /** Neutral for an unknown account and a wrong password, in equal time. */
  verifyPassword(login: {
    brandKey: string;
    clientId: string;
    username: string;
    password: string;
    /** The browser logged in to this account before. */
    isKnownDevice?: boolean;
  }): Promise<VerifyOutcome>;
};

/** The game answers this about an identity that the shop meets for the first time. */
export type IdentityOutcome =
  | { readonly kind: 'ok'; readonly suid: string; readonly subject: string; readonly username: string }
  | { readonly kind: 'no_account' }
  | { readonly kind: 'unavailable' };

/** Game accounts behind identities of others, for brands whose games keep the accounts. */
export type IdentityAccounts = {
  /**
   * Beginning of all subjects of this client's game: the same identity is another player in
   * another game. Null: no such game.
   */
  scopeOf(clientId: string): string | null;
  /** `subject` of the answer is the game's own, as in VerifyOutcome. */
  findByIdentity(identity: {
    clientId: string;
    /** "google", "apple" ... */
    provider: string;
    subject: string;
  }): Promise<IdentityOutcome>;
};

/**
 * The account that a prepaid card opens; null for a card that is unknown, wrong, locked out or
 * issued to nobody, all alike and in equal time. `too_many`: too many attempts of this network failed lately. Failed
 * attempts count by card and network.
 */
export type FindCardAccount = (card: {
  brandKey: BrandKey;
  cardNumber: string;
  password: string;
  ip: string;
}) => Promise<PlayerId | 'too_many' | null>;
