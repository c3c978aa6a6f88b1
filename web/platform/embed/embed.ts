// The view in a frame: exchanges the game's ticket for a session of this page alone, and asks for another when it is
// over.
import { linkRoutes } from '#contracts/links.ts';
import { readUrl } from '#kernel/read-url.ts';
import { call } from '#web/platform/calls/api.ts';
import { readBoot } from '#web/platform/boot.ts';
import { type FrameKeys, keepFrameToken, setSpeaker, tellGame } from '#web/platform/frame.ts';
import { currentUser, setUser } from '#web/platform/visitor/session.ts';
import { type ToGame, readMessage } from './messages.ts';

/** Our choice: a game's page asks its server, which asks ours; on a slow line twice as long as a call may take. */
const TIMEOUT_MS = 20_000;

/** Those who wait for the next ticket. */
let waiting: ((isIn: boolean) => void)[] = [];

/**
 * @param onEntered after every login but the first: what was read before was read for nobody
 * @returns when it is known who plays, as far as the address tells
 */
export async function startEmbed(keys: FrameKeys, onEntered: () => void): Promise<void> {
  const { frameParents } = readBoot();
  const targets = findTargets(frameParents);
  setSpeaker((message) => {
    for (const target of targets) window.parent.postMessage({ from: 'refill', version: 1, ...message }, target);
  });
  addEventListener('message', (event: MessageEvent<unknown>) => {
    // Exactly this page, of an origin that the operator allows.
    if (event.source !== window.parent || !frameParents.includes(event.origin)) return;
    const message = readMessage(event.data);
    if (message) void enter({ ticket: message.ticket }).then((isIn) => settle(isIn, onEntered));
  });
  const { ticket, oauth_token } = keys;
  if (ticket !== undefined || oauth_token !== undefined) await enter(keys);
  tellGame({ type: 'ready', logged_in: currentUser() !== null });
  if (!currentUser()) want(ticket === undefined && oauth_token === undefined ? 'missing' : 'refused');
}

/** Asks the game's page for another ticket. False: none came in time, or it was refused. Several share one question. */
export function renew(): Promise<boolean> {
  const answer = new Promise<boolean>((resolve) => {
    waiting = [...waiting, resolve];
    setTimeout(() => {
      // No longer waiting: the next call asks the game again.
      waiting = waiting.filter((one) => one !== resolve);
      resolve(false);
    }, TIMEOUT_MS);
  });
  if (waiting.length === 1) want('ended');
  return answer;
}

const want = (reason: Extract<ToGame, { type: 'ticket_wanted' }>['reason']) =>
  tellGame({ type: 'ticket_wanted', reason });

async function enter({ ticket, oauth_token }: FrameKeys): Promise<boolean> {
  const { clientId } = readBoot();
  const outcome = await call(linkRoutes.enterFrame, {
    ...(ticket === undefined ? oauth_token !== undefined && { oauth_token } : { ticket }),
    ...(clientId && { client_id: clientId }),
  });
  if (outcome.kind !== 'ok') return false;
  keepFrameToken(outcome.content.token);
  setUser(outcome.content.user);
  return true;
}

function settle(isIn: boolean, onEntered: () => void): void {
  const waited = waiting;
  waiting = [];
  for (const resolve of waited) resolve(isIn);
  if (isIn) onEntered();
  else if (waited.length === 0) want('refused');
}

/**
 * The parent's own origin, where the browser tells it. Else all that are allowed: a message is given to a page of that
 * very origin, and to no other.
 */
function findTargets(parents: readonly string[]): readonly string[] {
  const parent = location.ancestorOrigins?.[0] ?? readUrl(document.referrer)?.origin;
  return parent !== undefined && parents.includes(parent) ? [parent] : parents;
}
