// My data: what a player may do about it, the download, the wish to be erased, and taking it back.
import type { PlayerId } from '#kernel/ids.ts';
import { Readable } from 'node:stream';
import { ulid } from 'ulid';
import { type ErasureState, FRESH_MINUTES, type PrivacyState } from '#contracts/privacy.ts';
import { type Currency, money } from '#kernel/money.ts';
import { isFreshSession } from '#server/modules/accounts/service.ts';
import { type Configuration, displayFor } from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import type { Caller, PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, refuseFor, succeed } from '#server/platform/http/answer.ts';
import { revokeOtherSessions } from '#server/platform/http/session.ts';
import { createRangeLimiter } from '#server/platform/limits/address-limits.ts';
import type { LimitStore } from '#server/platform/limits/limit-store.ts';
import type { Log } from '#server/platform/log.ts';
import { noteSecurity } from '#server/platform/security-log.ts';
import {
  type Erasure,
  askErasure,
  findErasure,
  findLastErasure,
  listBalances,
  listRefusals,
  withdrawErasure,
} from './erasing/erasure-store.ts';
import { exportPerson } from './export-person.ts';

export { createEndLoop } from './end-loop.ts';
export { createErasureLoop, erase, eraseDue, previewErase } from './erasing/erasures.ts';
export { openErasedRecord } from './erasing/erased-record.ts';
export { exportPerson } from './export-person.ts';
export type { EraseAnswer, RefusalReason } from './erasing/erasure-store.ts';

/** Our choice: time enough to come back, and well within the month that GDPR 12(3) gives. */
const DEFAULT_WAIT_DAYS = 7;
/** Our choice: more than anybody needs, and each holds a connection while it is read. */
const EXPORTS_PER_HOUR = 5;
const EXPORTS_AT_ONCE = 2;
/** Our choice: the largest takes seconds. A browser that reads no further must not keep others waiting. */
const EXPORT_MS = 60_000;
/** Our choice: a person who types a name, not a program that guesses. */
const WISHES_PER_HOUR = 10;
/** Looks by number; the numbers cannot be guessed. */
const LOOKS_PER_MINUTE = 60;

export type PrivacyService = {
  state(caller: PlayerCaller): Promise<Answer<PrivacyState>>;
  export(caller: PlayerCaller): Promise<Answer<Record<string, unknown>>>;
  erase(caller: PlayerCaller, input: { name: string; gives_up_balance?: number }): Promise<Answer<ErasureState>>;
  keep(caller: PlayerCaller): Promise<Answer<Record<string, never>>>;
  erasure(caller: Caller, erasureNo: string): Promise<Answer<ErasureState>>;
};

const show = (one: Erasure): ErasureState => ({
  erasure_no: one.erasure_no,
  state: one.state,
  asked_at: one.asked_at.getTime(),
  due_at: one.due_at.getTime(),
  ended_at: one.ended_at?.getTime() ?? 0,
  refusals: [...new Set(one.refusals.map(({ reason }) => reason))],
});

/** As two people would call the same name the same: without case, outer blanks and forms of letters. */
const alike = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

export function createPrivacyService(deps: {
  db: Db;
  log: Log;
  configuration: () => Configuration;
  now: () => number;
  counts: LimitStore;
}): PrivacyService {
  const { db, log, configuration, now, counts } = deps;
  const exports = createRangeLimiter(counts, 'privacy_export', EXPORTS_PER_HOUR, 3600);
  const wishes = createRangeLimiter(counts, 'privacy_erase', WISHES_PER_HOUR, 3600);
  const looks = createRangeLimiter(counts, 'privacy_look', LOOKS_PER_MINUTE, 60);
  const running = new Set<PlayerId>();

  const brandOf = ({ site }: Caller) => {
    const brand = configuration().brands.get(site.brandKey);
    if (!brand) throw new Error(`no brand ${site.brandKey}`);
    return brand;
  };
  /** A session that a game or a make-up payment opened may not act on the account, nor may whoever found a card. */
  const isFresh = ({ session }: PlayerCaller, minutes?: number) =>
    session.bound === null && isFreshSession(db, session.publicId, minutes);
  // No session lives as long: asks only what kind of session it is.
  const canAct = (caller: PlayerCaller) => isFresh(caller, 60 * 24 * 365);

  async function* envelopeOf(caller: PlayerCaller): AsyncGenerator<string> {
    yield '{"code":1,"msg":"","content":';
    yield* exportPerson(db, caller.session.playerId, new Date(now()));
    yield '}';
  }

  return {
    state: async (caller) => {
      const { playerId } = caller.session;
      const brand = brandOf(caller);
      const display = displayFor(brand, caller.language);
      const [mayAct, fresh, balances, refusals, last] = await Promise.all([
        canAct(caller),
        isFresh(caller, FRESH_MINUTES),
        listBalances(db, playerId),
        listRefusals(db, playerId, true),
        findLastErasure(db, playerId),
      ]);
      return succeed({
        can_act: mayAct,
        is_fresh: fresh,
        wait_days: brand.file.erasureDays ?? DEFAULT_WAIT_DAYS,
        balances: balances.map((one) => display.money(money(one.balance_minor, one.currency as Currency))),
        refusals: refusals.map(({ reason, billing_no: about }) => ({ reason, about })),
        erasure: last && show(last),
      });
    },
    export: async (caller) => {
      const { session, site } = caller;
      if (!(await isFresh(caller, FRESH_MINUTES))) return refuse('loginAgain');
      const wait = await exports.take(session.playerId);
      if (wait > 0) return refuseFor(wait);
      // One of each player, so that nobody takes the places of all.
      if (running.size >= EXPORTS_AT_ONCE || running.has(session.playerId)) return refuse('unavailable');
      noteSecurity(log, 'person_exported', { brand: site.brandKey, player: session.playerId });
      const envelope = Readable.from(envelopeOf(caller));
      running.add(session.playerId);
      const timer = setTimeout(() => envelope.destroy(new Error('it was not read in time')), EXPORT_MS).unref();
      envelope.once('close', () => {
        clearTimeout(timer);
        running.delete(session.playerId);
      });
      envelope.on('error', (error) => log.warn({ err: error }, 'an export broke off'));
      return { ...succeed({}), envelope };
    },
    erase: async (caller, input) => {
      const { session, site } = caller;
      if (!(await isFresh(caller, FRESH_MINUTES))) return refuse('loginAgain');
      const wait = await wishes.take(session.playerId);
      if (wait > 0) return refuseFor(wait);
      if (alike(input.name) !== alike(session.username)) return refuse('badRequest', 'privacy.wrong_name');
      const givesUpBalance = input.gives_up_balance === 1;
      const [first] = await listRefusals(db, session.playerId, givesUpBalance);
      if (first) return refuse('cannotErase', `privacy.because_${first.reason}`);
      const asked = await askErasure(db, {
        playerId: session.playerId,
        erasureNo: `ER-${ulid()}`,
        givesUpBalance,
        waitDays: brandOf(caller).file.erasureDays ?? DEFAULT_WAIT_DAYS,
      });
      // Whoever is logged in elsewhere learns of it by being asked to log in, which takes it back.
      await revokeOtherSessions(db, session.playerId, session.publicId, 'erasure');
      noteSecurity(log, 'person_erasure_asked', {
        brand: site.brandKey,
        player: session.playerId,
        erasure: asked.erasure_no,
      });
      return succeed(show(asked));
    },
    keep: async (caller) => {
      if (!(await canAct(caller))) return refuse('loginAgain');
      const { playerId } = caller.session;
      if (await withdrawErasure(db, playerId))
        noteSecurity(log, 'person_erasure_withdrawn', { brand: caller.site.brandKey, player: playerId });
      return succeed({});
    },
    erasure: async (caller, erasureNo) => {
      const wait = await looks.take(caller.ip);
      if (wait > 0) return refuseFor(wait);
      const found = await findErasure(db, caller.site.brandKey, erasureNo);
      return found ? succeed(show(found)) : refuse('invalidLink');
    },
  };
}
