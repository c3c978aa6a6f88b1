// Holds the player who is logged in, as the server said last. The secret sits in a cookie that no script can read; what
// is kept here is for show.
import { useSyncExternalStore } from 'react';
import { accountRoutes, type UserInfo } from '#contracts/accounts.ts';
import { heldInFrame, keepFrameToken } from '../frame.ts';
import { call, watchSession } from '../calls/api.ts';
import { readBoot } from '../boot.ts';
import { clear, load, loadText, save, watchStored } from './storage.ts';

let user: UserInfo | null = null;
/** The browser's session in the storage, as of the moment when this page noted it. */
let noted = '';
const listeners = new Set<() => void>();

/** Takes the player the page came with, and starts again when another tab logs in or out. */
export function startSession(reload: () => void = () => location.reload()): void {
  const { user: first, brand } = readBoot();
  // A player here may be another one at the game of another tab, where each game has accounts of its own.
  if (first === null && brand.hasAccountsByGame) noted = heldInFrame() ? '' : loadText('token');
  else setUser(first);
  if (heldInFrame()) return;
  // @source specification section 4: "if the token disappears the page re-initialises"
  const isHere = () => loadText('token') === noted;
  watchStored('token', () => {
    if (!isHere()) reload();
  });
  // No event tells of what happens in this very tab, and the days of a token end without one.
  watchSession(() => {
    if (isHere()) return true;
    reload();
    return false;
  });
}

export function currentUser(): UserInfo | null {
  return user;
}

/** The player, or null. Redraws the component at login and logout. */
export function useUser(): UserInfo | null {
  return useSyncExternalStore(watchUser, currentUser, currentUser);
}

/** Calls `listener` at every login and logout. Returns the way to stop. */
export function watchUser(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Notes who is logged in. The user info is kept per game product id as well, for the games a player goes between.
 * @source specification section 4, "Login state"
 */
export function setUser(next: UserInfo | null): void {
  user = next;
  noted = next?.oauth_token ?? '';
  // The storage is the whole browser's, and the player in a frame is that page's own.
  if (!heldInFrame()) keep(next);
  for (const listener of listeners) listener();
}

/**
 * The server knows nobody at this game. Where each game has accounts of its own the browser may be logged in at another
 * one all the same, so what tells the other tabs of it stays.
 */
export function dropUser(): void {
  if (!readBoot().brand.hasAccountsByGame) return setUser(null);
  user = null;
  if (!heldInFrame()) clear(readBoot().isBeta ? 'betaAccount' : 'userInfo');
  for (const listener of listeners) listener();
}

/**
 * Asks who is logged in at a game that the page has changed to, where each game has accounts of its own. It stays
 * quiet: what needs a login at that game opens it.
 */
export async function lookWhoIsAt(clientId: string): Promise<void> {
  if (!readBoot().brand.hasAccountsByGame || heldInFrame() || clientId === '') return;
  const outcome = await call(accountRoutes.getUserInfo, { client_id: clientId });
  if (outcome.kind === 'ok') setUser(outcome.content);
  else if (outcome.kind === 'code' && outcome.name === 'notLoggedIn') dropUser();
}

/**
 * Ends the session on the server and here. False when the server could not be reached: the
 * player is still logged in then.
 */
export async function logout(): Promise<boolean> {
  // Once more ends nothing more. Few log out, so the code comes when somebody does.
  const send = await import('../calls/change.ts').then(
    (part) => part.change,
    () => call,
  );
  const outcome = await send(accountRoutes.logout, {});
  if (outcome.kind === 'network') return false;
  keepFrameToken(null);
  setUser(null);
  return true;
}

function keep(next: UserInfo | null): void {
  if (next) save('token', next.oauth_token);
  else clear('token');
  if (readBoot().isBeta) keepBetaUser(next);
  else keepUser(next);
}

function keepUser(next: UserInfo | null): void {
  if (next) {
    save('userInfo', next);
    if (next.gp_id) save('userMap', { ...readUserMap(), [next.gp_id]: next });
  } else {
    clear('userInfo');
    clear('userMap');
  }
}

/**
 * A record beside the ordinary one, which is found again when super mode ends. @source
 * specification section 3, "super mode"
 */
function keepBetaUser(next: UserInfo | null): void {
  if (next) save('betaAccount', next);
  else clear('betaAccount');
}

function readUserMap(): Record<string, unknown> {
  const kept = load('userMap');
  return typeof kept === 'object' && kept !== null ? { ...kept } : {};
}
