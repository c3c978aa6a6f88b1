// Declares the messages between the view in a frame and the page of the game. @see docs/sdk-view.md

/** From the view. `from: 'refill'` and `version: 1` stand beside it. */
export type ToGame =
  /** The view is drawn and listens. */
  | { type: 'ready'; logged_in: boolean }
  /** A ticket is needed: there was none, it was refused, or the login is over. */
  | { type: 'ticket_wanted'; reason: 'missing' | 'refused' | 'ended' }
  /** How an order stands: -1 waiting, 1 the goods are in the game, -2 failed. @source specification section 3 */
  | { type: 'order'; billing_no: string; status: number }
  /** No window opened for the provider's page: the game is to open this address, at the top. */
  | { type: 'open'; url: string };

/** From the page of the game. */
type ToView = { to: 'refill'; type: 'ticket'; ticket: string };

/** Reads what a page said; null for anything else, which pages say to each other all the time. */
export function readMessage(data: unknown): ToView | null {
  if (typeof data !== 'object' || data === null) return null;
  const { to, type, ticket } = data as Record<string, unknown>;
  return to === 'refill' && type === 'ticket' && typeof ticket === 'string' && /^rt1_[\w-]{43}$/.test(ticket)
    ? { to, type, ticket }
    : null;
}
