// Ways into the shop by a link: a ticket or a token in the address becomes a session of its own, and never silently in place of another
// account's.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#server/platform/database/db.ts';
import type { Caller } from '#server/platform/http/http.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { type SessionKind, findSession, hashToken, openSession } from '#server/platform/http/session.ts';
import type { Site } from '#server/platform/http/site.ts';
import { findBetaKey } from '#server/platform/http/beta.ts';
import { makeSecret } from '#server/modules/accounts/logins/begin-login.ts';
import type { EntryDeps } from './entry-deps.ts';
import { type FoundPass, type Pass, findPass, savePass, takePass } from './entry-store.ts';
import { type TicketAnswer, type TicketCall, answerTicketCall } from './ticket-call.ts';

export type Opened = { readonly token: string; readonly kind: SessionKind };
export type EntryOutcome =
  | { readonly kind: 'opened'; readonly session: Opened }
  /** The browser is logged in as somebody else: it holds `secret` now, and the player is asked. */
  | { readonly kind: 'asks'; readonly secret: string }
  /** Nothing changes: refused, or logged in as the same account already. */
  | { readonly kind: 'stays' };

export type EntriesService = {
  answerTicketCall(site: Site, origin: string, call: TicketCall): Promise<TicketAnswer | null>;
  /** @param cookieToken of the session that a new one replaces; @param returnTo where the link leads, a path of ours */
  enter(
    caller: Caller,
    given: { key: 'oauth_token' | 'ticket'; value: string; cookieToken: string | null; returnTo: string },
  ): Promise<EntryOutcome>;
  /** Whether a key of super mode holds here now. */
  takeBetaKey(site: Site, key: string, ip: string): Promise<boolean>;
  /** Both names, for the page that asks; null when there is nothing to ask. */
  findQuestion(caller: Caller, secret: string): Promise<{ name: string; returnTo: string } | null>;
  /**
   * Answers the question. `session` is null for "stay", and for a question that is over.
   * @param given.isOwnForm the answer comes from our own page; else it is none, and null comes back
   */
  decide(
    caller: Caller,
    given: { secret: string; isYes: boolean; isOwnForm: boolean; cookieToken: string | null },
  ): Promise<{ session: Opened | null; returnTo: string } | null>;
};

/** Our choice: long enough to read two names, and as long as a login takes. */
export const QUESTION_SECONDS = 600;

export function createEntriesService(deps: EntryDeps): EntriesService {
  const { db, log } = deps;
  const open = async (caller: Caller, pass: Pass, cookieToken: string | null): Promise<Opened> => {
    const { token } = await openSession(db, {
      playerId: pass.playerId,
      brandKey: pass.brandKey,
      kind: 'sdk',
      authMethod: 'game',
      replaces: cookieToken,
      userAgent: caller.userAgent,
      entryHash: pass.entryHash,
      bound: pass.bound,
      betaId: caller.site.betaId,
    });
    noteSecurity(log, 'entry_opened', { brand: pass.brandKey, player: pass.playerId, ip: caller.ip });
    return { token, kind: 'sdk' };
  };

  return {
    answerTicketCall: (site, origin, call) => answerTicketCall(deps, site, origin, call),
    enter: async (caller, { key, value, cookieToken, returnTo }) => {
      const { brandKey } = caller.site;
      const found = key === 'ticket' ? await takeTicket(db, caller, value) : await findNamed(db, caller, value);
      if (!found) {
        noteSecurity(log, 'entry_refused', { brand: brandKey, ip: caller.ip, kind: key });
        return { kind: 'stays' };
      }
      const { session } = caller;
      if (!session) return { kind: 'opened', session: await open(caller, found, cookieToken) };
      if (session.playerId === found.playerId) {
        // One that may pay for everything, or for just this, is as good.
        if (!session.bound || isDeepStrictEqual(session.bound, found.bound)) return { kind: 'stays' };
        return { kind: 'opened', session: await open(caller, found, cookieToken) };
      }
      const secret = makeSecret();
      const question: Pass = { ...found, kind: 'switch', brandKey, returnTo };
      await savePass(db, hashToken(secret), question, { lifeSeconds: QUESTION_SECONDS, messageId: null });
      noteSecurity(log, 'entry_other_account', { brand: brandKey, player: session.playerId, ip: caller.ip });
      return { kind: 'asks', secret };
    },
    findQuestion: async (caller, secret) => {
      const found = await findPass(db, hashToken(secret), wantedOf(caller, 'switch'));
      return found ? { name: found.username, returnTo: found.returnTo } : null;
    },
    takeBetaKey: async ({ brandKey }, betaKey, ip) => {
      const isKey = (await findBetaKey(db, betaKey, brandKey)) !== null;
      noteSecurity(log, isKey ? 'beta_on' : 'beta_refused', { brand: brandKey, ip });
      return isKey;
    },
    decide: async (caller, { secret, isYes, isOwnForm, cookieToken }) => {
      if (!isOwnForm) {
        noteSecurity(log, 'change_refused', { brand: caller.site.brandKey, ip: caller.ip, path: 'switch' });
        return null;
      }
      const found = await takePass(db, hashToken(secret), wantedOf(caller, 'switch'));
      if (!found || !isYes) return { session: null, returnTo: found?.returnTo ?? '/' };
      const session = await open(caller, found, cookieToken);
      noteSecurity(log, 'account_switched', { brand: found.brandKey, player: found.playerId, ip: caller.ip });
      return { session, returnTo: found.returnTo };
    },
  };
}

const wantedOf = ({ site: { brandKey } }: Caller, kind: Pass['kind']) => ({ kind, brandKey });

function takeTicket(db: Db, caller: Caller, ticket: string): Promise<FoundPass | null> {
  return /^rt1_[\w-]{43}$/.test(ticket)
    ? takePass(db, hashToken(ticket), wantedOf(caller, 'ticket'))
    : Promise.resolve(null);
}

/** A token in an address is a session already; the browser gets one of its own, so that what stands in a history is not what it holds. */
async function findNamed(db: Db, caller: Caller, token: string): Promise<Pass | null> {
  const { brandKey, betaId } = caller.site;
  const session = await findSession(db, token, brandKey, betaId);
  if (!session) return null;
  return {
    kind: 'ticket', brandKey, playerId: session.playerId, bound: session.bound, entryHash: hashToken(token), returnTo: '/',
  }; // prettier-ignore
}
