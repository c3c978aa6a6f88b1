// Real names: begins a check at whoever the brand names, and keeps what came of it. Whether an order needs one is
// decided where it is placed (payer_refusal).
import type { RealNameState } from '#contracts/realname.ts';
import type { Brand, Configuration } from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type PlayerCaller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import { isLoopbackHost } from '#kernel/pay-link.ts';
import type { Log } from '#server/platform/log.ts';
import type { Environment } from '#kernel/environment.ts';
import type { RealNameChecker, RealNameOutcome } from './realname-port.ts';
import { readRealName, saveRealName } from './store.ts';

export type RealNameService = {
  evoke(caller: PlayerCaller, clientId: string): Promise<Answer<{ state: RealNameState; url: string }>>;
  state(caller: PlayerCaller, clientId: string): Promise<Answer<{ state: RealNameState }>>;
  /** Returns true when this player still has to pass a check; calls nobody outside. */
  isMissing(caller: PlayerCaller): Promise<boolean>;
};

export function createRealNameService(deps: {
  db: Db;
  log: Log;
  environment: Environment;
  configuration: () => Configuration;
  checkers: Readonly<Record<NonNullable<Brand['file']['realName']>, RealNameChecker>>;
  /** Asked before a service outside is. */
  mayAsk: (ip: string) => Promise<boolean>;
}): RealNameService {
  const { db, log, configuration } = deps;
  const brandOf = ({ site }: PlayerCaller) => configuration().brands.get(site.brandKey);
  const checkerOf = (caller: PlayerCaller): RealNameChecker | null => {
    const by = brandOf(caller)?.file.realName;
    return by ? deps.checkers[by] : null;
  };
  const isSold = (caller: PlayerCaller, clientId: string) => {
    const found = configuration().gameOfClient(clientId);
    return found !== null && brandOf(caller)?.file.games.includes(found.game.id) === true;
  };

  /** Asks and keeps the answer. */
  async function ask(caller: PlayerCaller, checker: RealNameChecker, clientId: string): Promise<RealNameOutcome> {
    const source = checker.sourceOf(clientId);
    if (source === null) return { kind: 'unknown', reason: 'nobody is set up to check' };
    const { playerId, suid } = caller.session;
    const outcome = await checker.check({
      brandKey: caller.site.brandKey,
      clientId,
      userId: suid,
      returnUrl: `${caller.origin}/certifiedReal?${new URLSearchParams({ client_id: clientId, spec_lang: caller.language })}`,
    });
    if (outcome.kind === 'unknown') {
      log.warn({ source, reason: outcome.reason }, 'a real name could not be checked');
      return outcome;
    }
    if (outcome.kind === 'unfinished' && !isSafe(outcome.url, deps.environment)) {
      log.warn({ source }, 'the real-name check answered an address that may not be opened');
      return { kind: 'unknown', reason: 'address' };
    }
    await saveRealName(db, playerId, { state: outcome.kind === 'unfinished' ? 'started' : outcome.kind, source });
    return outcome;
  }

  return {
    evoke: async (caller, clientId) => {
      const checker = checkerOf(caller);
      if (!checker) return succeed({ state: 'notNeeded', url: '' });
      if (!isSold(caller, clientId)) return refuse('noGame');
      if ((await readRealName(db, caller.session.playerId))?.state === 'verified')
        return succeed({ state: 'verified', url: '' });
      if (!(await deps.mayAsk(caller.ip))) return refuse('tooManyAttempts');
      const outcome = await ask(caller, checker, clientId);
      if (outcome.kind === 'unknown') return refuse('realNameFailed');
      return succeed({ state: outcome.kind, url: outcome.kind === 'unfinished' ? outcome.url : '' });
    },
    state: async (caller, clientId) => {
      const checker = checkerOf(caller);
      if (!checker) return succeed({ state: 'notNeeded' });
      if (!isSold(caller, clientId)) return refuse('noGame');
      const row = await readRealName(db, caller.session.playerId);
      if (!row) return succeed({ state: 'unfinished' });
      if (row.state !== 'started') return succeed({ state: row.state });
      if (!(await deps.mayAsk(caller.ip))) return refuse('tooManyAttempts');
      const outcome = await ask(caller, checker, clientId);
      return outcome.kind === 'unknown' ? refuse('realNameFailed') : succeed({ state: outcome.kind });
    },
    isMissing: async (caller) =>
      checkerOf(caller) !== null && (await readRealName(db, caller.session.playerId))?.state !== 'verified',
  };
}

/** https, or the simulator of a demo on this machine. */
function isSafe(url: string, environment: Environment): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) return false;
  return protocol === 'https:' || (protocol === 'http:' && environment === 'demo' && isLoopbackHost(hostname));
}
