// The port through which a real name is checked: by a game's contract, or by a service of the operator's own.
import type { BrandKey } from '#kernel/ids.ts';

type RealNameQuestion = {
  readonly brandKey: BrandKey;
  readonly clientId: string;
  /** As the game knows the player. */
  readonly userId: string;
  /** The player returns to this address; returning proves nothing. */
  readonly returnUrl: string;
};

/** unfinished: `url` is where the player confirms who they are. unknown: nobody could be asked, or made no sense. */
export type RealNameOutcome =
  | { readonly kind: 'verified' }
  | { readonly kind: 'unfinished'; readonly url: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

export type RealNameChecker = {
  /** Names the source of a result: "game:starlane", "operator". Null: nobody to ask for this client. */
  sourceOf(clientId: string): string | null;
  /** Never rejects for what the outside does. */
  check(question: RealNameQuestion): Promise<RealNameOutcome>;
};
