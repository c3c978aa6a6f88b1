// The view inside a game's page: what it is somebody by, and the way to that page. Speaking with it comes later
// (embed/).
import { paths } from '#web/paths.ts';
import type { ToGame } from './embed/messages.ts';

/**
 * In a frame nobody can see whose page asks, so no password is asked for there. @source OWASP cheat sheet
 * series, Clickjacking Defense
 */
export function isFramed(): boolean {
  return window.self !== window.top;
}

/** Of one opening, handed over by the game's page. */
export type FrameKeys = { ticket?: string; oauth_token?: string; beta_key?: string };

type Held = { token: string | null; betaKey: string | null };

/**
 * In this variable and nowhere else, for a browser may keep cookies and storage away. Null: the page is in no frame.
 */
let held: Held | null = null;
let speak: ((message: ToGame) => void) | null = null;

/** Takes the keys out of the address, and is a page in a frame from now on. */
export function enterFrame(): FrameKeys {
  const address = new URL(location.href);
  const keys: FrameKeys = {};
  for (const name of ['ticket', 'oauth_token', 'beta_key'] as const) {
    const value = address.searchParams.getAll(name).at(-1);
    if (value) keys[name] = value;
    address.searchParams.delete(name);
  }
  history.replaceState(null, '', address);
  held = { token: null, betaKey: keys.beta_key ?? null };
  return keys;
}

/** Leaves it again; for tests. */
export function leaveFrame(): void {
  held = null;
  speak = null;
}

/** Names the player in calls from a frame; null outside of one, where the cookie does. */
export function heldInFrame(): Readonly<Held> | null {
  return held;
}

export function keepFrameToken(token: string | null): void {
  if (held) held.token = token;
}

/** Puts in what carries messages to the game's page. */
export function setSpeaker(next: (message: ToGame) => void): void {
  speak = next;
}

/** Tells the game's page; outside of a frame there is none. */
export function tellGame(message: ToGame): void {
  speak?.(message);
}

/**
 * Loads the page anew, perhaps with another query. In a frame it is the view's own address, for no other may stand
 * there, and the game's page is asked for a ticket again.
 */
export function reopen(address: URL = new URL(location.href)): void {
  if (!held) {
    if (address.href === location.href) location.reload();
    else location.assign(address);
    return;
  }
  address.pathname = paths.userCenter;
  if (held.betaKey) address.searchParams.set('beta_key', held.betaKey);
  location.assign(address);
}

/** Leads to a provider's page where no window opened: never inside the frame, which would show nothing. */
export function leaveTo(url: string): void {
  if (held) tellGame({ type: 'open', url });
  else location.assign(url);
}
