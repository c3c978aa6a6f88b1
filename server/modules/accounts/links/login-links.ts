// Login links: a ticket or a token in the address of a page, or a code, becomes a session of its own. Whoever comes
// from another site, or is logged in as somebody else, is asked first: a link must not decide by itself whose account a
// player pays from.
import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#server/platform/database/db.ts';
import type { Caller } from '#server/platform/http/http.ts';
import { readEntryCode } from '#kernel/entry-codes.ts';
import { type OwnPath, toOwnPath } from '#kernel/own-path.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import { type Session, type SessionKind, hashToken, openSession } from '#server/platform/http/session.ts';
import { findAddressSession, findSession } from '#server/platform/http/session-find.ts';
import type { SignedAnswer, SignedCall } from '#server/platform/http/signed-call.ts';
import type { Site } from '#server/platform/http/site.ts';
import { findBetaKey } from '#server/platform/http/beta.ts';
import { makeSecret } from '#server/modules/accounts/logins/begin-login.ts';
import type { LinkDeps } from './link-deps.ts';
import { type FoundLink, type LoginLink, findLink, redeemLink, saveLink } from './link-store.ts';
import { answerTicketCall } from './ticket-call.ts';

export type Opened = { readonly token: string; readonly kind: SessionKind };
export type LinkOutcome =
  | { readonly kind: 'opened'; readonly session: Opened }
  /** The browser holds `secret` now, and the player is asked. */
  | { readonly kind: 'asks'; readonly secret: string }
  /** Nothing changes: refused, or logged in as the same account already. */
  | { readonly kind: 'stays' };

/**
 * How a browser came to the link. `direct`: from the game, by hand, or from a page of ours. `elsewhere`: from a page of
 * another site, which may have made the link.
 */
export type Arrival = 'direct' | 'elsewhere';
type LinkKey = 'oauth_token' | 'ticket';

type CodeOutcome =
  | Extract<LinkOutcome, { kind: 'asks' }>
  /** Logged in as this player already. */
  | { readonly kind: 'stays'; readonly returnTo: OwnPath }
  | { readonly kind: 'refused' }
  | { readonly kind: 'too_many' };

export type LoginLinksService = {
  answerTicketCall(site: Site, origin: string, call: SignedCall): Promise<SignedAnswer | null>;
  /** @param given.cookieToken of the session that a new one replaces; @param given.returnTo where the link leads */
  redeem(
    caller: Caller,
    given: {
      key: LinkKey;
      value: string;
      arrival: Arrival;
      cookieToken: string | null;
      returnTo: OwnPath;
    },
  ): Promise<LinkOutcome>;
  /**
   * The same for the view in a frame of a parent that the operator allows: the parent says who plays, on every opening.
   * The session is the page's own, kept in its memory. Null: refused.
   * @param given.replaces token of the session that the page had before
   */
  openInFrame(
    caller: Caller,
    given: { key: LinkKey; value: string; replaces: string | null },
  ): Promise<{ token: string; session: Session } | null>;
  /**
   * Takes a code that somebody typed. It opens nothing by itself: whoever made somebody else type it would have them
   * buy for a stranger's characters. So the player is asked, logged in or not.
   */
  enterCode(caller: Caller, typed: string): Promise<CodeOutcome>;
  /** Returns true when a key of super mode is valid here now. */
  takeBetaKey(site: Site, key: string, ip: string): Promise<boolean>;
  /** The player of the link, for the page that asks; null when there is nothing to ask. */
  findQuestion(caller: Caller, secret: string): Promise<{ name: string; returnTo: OwnPath } | null>;
  /**
   * Answers the question. `session` is null for "stay", and for a question that is over.
   * @param given.isOwnForm the answer comes from our own page; else it is none, and null comes back
   */
  decide(
    caller: Caller,
    given: { secret: string; isYes: boolean; isOwnForm: boolean; cookieToken: string | null },
  ): Promise<{ session: Opened | null; returnTo: OwnPath } | null>;
};

/** Our choice: long enough to read two names, and as long as a login takes. */
export const QUESTION_SECONDS = 600;

export function createLoginLinksService(deps: LinkDeps): LoginLinksService {
  const { db, log } = deps;
  const open = async (caller: Caller, link: LoginLink, cookieToken: string | null): Promise<Opened> => {
    const { token } = await openSession(db, {
      playerId: link.playerId,
      brandKey: link.brandKey,
      kind: 'sdk',
      authMethod: 'game',
      replaces: cookieToken,
      userAgent: caller.userAgent,
      linkTokenHash: link.linkTokenHash,
      bound: link.bound,
      betaId: caller.site.betaId,
    });
    noteSecurity(log, 'login_link_opened', { brand: link.brandKey, player: link.playerId, ip: caller.ip });
    return { token, kind: 'sdk' };
  };
  const find = async (caller: Caller, key: LinkKey, value: string): Promise<LoginLink | null> => {
    const found = key === 'ticket' ? await redeemTicket(db, caller, value) : await findNamed(db, caller, value);
    const { brandKey } = caller.site;
    if (!found) noteSecurity(log, 'login_link_refused', { brand: brandKey, ip: caller.ip, kind: key });
    return found;
  };
  /** @param arrival for the log */
  const ask = async (caller: Caller, link: LoginLink, arrival: Arrival | 'code') => {
    const { brandKey } = caller.site;
    const secret = makeSecret();
    const question: LoginLink = { ...link, kind: 'question', brandKey };
    await saveLink(db, hashToken(secret), question, { lifeSeconds: QUESTION_SECONDS, messageId: null });
    noteSecurity(log, 'login_link_asked', { brand: brandKey, player: link.playerId, ip: caller.ip, arrival });
    return { kind: 'asks', secret } as const;
  };

  return {
    answerTicketCall: (site, origin, call) => answerTicketCall(deps, site, origin, call),
    openInFrame: async (caller, { key, value, replaces }) => {
      const found = await find(caller, key, value);
      if (!found) return null;
      const { token } = await open(caller, found, replaces);
      const session = await findSession(db, token, caller.site.brandKey, caller.site.betaId ?? null);
      return session && { token, session };
    },
    redeem: async (caller, { key, value, arrival, cookieToken, returnTo }) => {
      const found = await find(caller, key, value);
      if (!found) return { kind: 'stays' };
      const { session } = caller;
      if (isAsGood(session, found)) return { kind: 'stays' };
      // The same player, or nobody yet who could be led into another's account.
      if (session ? session.playerId === found.playerId : arrival === 'direct')
        return { kind: 'opened', session: await open(caller, found, cookieToken) };
      return ask(caller, { ...found, returnTo }, arrival);
    },
    enterCode: async (caller, typed) => {
      const { site, ip, session } = caller;
      const counted = [ip, ...(session ? [session.playerId] : [])];
      if ((await Promise.all(counted.map((one) => deps.codeGuesses.hasLeft(one)))).includes(false)) {
        noteSecurity(log, 'login_limited', { brand: site.brandKey, ip, by: 'code' });
        return { kind: 'too_many' };
      }
      const code = readEntryCode(typed);
      // A text that cannot be a code is a typing error and reveals nothing, so it counts as no failed attempt.
      if (code === null) return { kind: 'refused' };
      const found = await redeemLink(db, hashToken(code), wantedOf(caller, 'code'));
      if (!found) {
        await Promise.all(counted.map((one) => deps.codeGuesses.count(one)));
        noteSecurity(log, 'login_link_refused', { brand: site.brandKey, ip, kind: 'code' });
        return { kind: 'refused' };
      }
      const returnTo = toOwnPath(`/?client_id=${encodeURIComponent(found.bound?.client_id ?? '')}`);
      if (isAsGood(session, found)) return { kind: 'stays', returnTo };
      return ask(caller, { ...found, returnTo }, 'code');
    },
    findQuestion: async (caller, secret) => {
      const found = await findLink(db, hashToken(secret), wantedOf(caller, 'question'));
      return found ? { name: found.username, returnTo: found.returnTo } : null;
    },
    takeBetaKey: async ({ brandKey }, betaKey, ip) => {
      const isKey = (await findBetaKey(db, betaKey, brandKey)) !== null;
      noteSecurity(log, isKey ? 'beta_on' : 'beta_refused', { brand: brandKey, ip });
      return isKey;
    },
    decide: async (caller, { secret, isYes, isOwnForm, cookieToken }) => {
      if (!isOwnForm) {
        noteSecurity(log, 'change_refused', { brand: caller.site.brandKey, ip: caller.ip, path: 'login link' });
        return null;
      }
      const found = await redeemLink(db, hashToken(secret), wantedOf(caller, 'question'));
      if (!found || !isYes) return { session: null, returnTo: found?.returnTo ?? toOwnPath('/') };
      const session = await open(caller, found, cookieToken);
      noteSecurity(log, 'account_switched', { brand: found.brandKey, player: found.playerId, ip: caller.ip });
      return { session, returnTo: found.returnTo };
    },
  };
}

/** One that may pay for everything, or for just this, is as good. */
const isAsGood = (session: Session | null, { playerId, bound }: LoginLink): boolean =>
  session?.playerId === playerId && (!session.bound || isDeepStrictEqual(session.bound, bound));

const wantedOf = ({ site: { brandKey } }: Caller, kind: LoginLink['kind']) => ({ kind, brandKey });

function redeemTicket(db: Db, caller: Caller, ticket: string): Promise<FoundLink | null> {
  return /^rt1_[\w-]{43}$/.test(ticket)
    ? redeemLink(db, hashToken(ticket), wantedOf(caller, 'ticket'))
    : Promise.resolve(null);
}

/**
 * A token in an address is a session already; the browser gets one of its own, so that what stands in a
 * history is not what it holds.
 */
async function findNamed(db: Db, caller: Caller, token: string): Promise<LoginLink | null> {
  const { brandKey, betaId } = caller.site;
  const session = await findAddressSession(db, token, brandKey, betaId);
  if (!session) return null;
  const { playerId, bound } = session;
  return { kind: 'ticket', brandKey, playerId, bound, linkTokenHash: hashToken(token), returnTo: toOwnPath('/') };
}
