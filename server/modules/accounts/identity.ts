// The port behind a login with a password: who knows the game accounts. Built in, or the game's own server.

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
    mode: 'sandbox' | 'live';
    username: string;
    password: string;
  }): Promise<VerifyOutcome>;
};
