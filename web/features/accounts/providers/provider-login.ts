// One login by a provider, from the press to the player: begin, wait for the callback page, finish. No React.
import type { UserInfo } from '#contracts/accounts.ts';
import { ingameLoginRoutes, type LoginKind, loginRoutes } from '#contracts/logins.ts';
import { type LoginMessage } from '#contracts/login-window.ts';
import type { Route } from '#contracts/route.ts';
import type { CodeName } from '#contracts/errors.ts';
import { call } from '#web/platform/calls/api.ts';
import { onLoginMessage, type ProviderWindow } from './provider-window.ts';

/** `slow`: still waiting, and so long that something may be wrong. `finishing`: the server is asking the provider. */
export type LoginStage = 'idle' | 'waiting' | 'slow' | 'finishing';

/**
 * `msg` is for the player and empty when the server said nothing; `name` is null unless the
 * server gave a code that we know.
 */
export type LoginFault = { isNetwork: boolean; name: CodeName | null; msg: string };

export type ProviderLogin = {
  kind: LoginKind;
  clientId: string;
  /** Of the in-game login of a make-up payment; null for the shop's own. */
  gameId: string | null;
  purpose: 'login' | 'link';
  /** Null: the whole page goes to the provider. */
  opened: ProviderWindow | null;
  /** Path of ours that a page comes back to. */
  returnTo: string;
  /** Sends the page to the provider. */
  leave: (url: string) => void;
  onStage: (stage: LoginStage) => void;
  onDone: (user: UserInfo) => void;
  onFault: (fault: LoginFault) => void;
};

/** Our choice: twice what a login with a second factor takes. */
const SLOW_MS = 60_000;
/** As long as the server keeps an attempt. @source contracts/logins.ts, LoginStart */
const ATTEMPT_MS = 600_000;
const LOOK_MS = 500;

type Finish = Readonly<Record<LoginKind, Route<never, Route['output']>>>;
const FINISH: Finish = loginRoutes as never;
const FINISH_INGAME: Finish = ingameLoginRoutes as never;
const FAILED: LoginFault = { isNetwork: false, name: 'loginFailed', msg: '' };

/** Returns the way to give it up. A player who closes the window or presses Cancel there is no fault. */
export function logInByProvider(login: ProviderLogin): () => void {
  const { kind, clientId, gameId, purpose, opened, onStage, onFault } = login;
  const undo: (() => void)[] = [];
  let isOver = false;
  const settle = () => {
    isOver = true;
    for (const step of undo.splice(0)) step();
  };
  const fail = (fault: LoginFault) => {
    settle();
    opened?.close();
    onStage('idle');
    onFault(fault);
  };
  const finish = async ({ error, fields }: LoginMessage) => {
    settle();
    opened?.close();
    if (error === 'cancelled') return onStage('idle');
    if (error) return fail(FAILED);
    onStage('finishing');
    const outcome =
      gameId === null
        ? await call(FINISH[kind], { ...fields, client_id: clientId } as never)
        : await call(FINISH_INGAME[kind], { ...fields, game_id: gameId } as never);
    onStage('idle');
    if (outcome.kind === 'ok') login.onDone(outcome.content as UserInfo);
    else onFault(faultOf(outcome));
  };
  const wait = ({ url, state }: { url: string; state: string }, window: ProviderWindow) => {
    undo.push(onLoginMessage(state, window.isSource, (message) => void finish(message)));
    if (!window.go(url)) {
      settle();
      return onStage('idle');
    }
    const slow = setTimeout(() => onStage('slow'), SLOW_MS);
    const late = setTimeout(() => fail(FAILED), ATTEMPT_MS);
    const look = setInterval(() => {
      if (!window.isClosed()) return;
      clearInterval(look);
      clearTimeout(slow);
      // Still listening: a provider's page may have cut the window off, and the player is busy in it.
      onStage('idle');
    }, LOOK_MS);
    undo.push(
      () => clearTimeout(slow),
      () => clearTimeout(late),
      () => clearInterval(look),
    );
  };
  const begin = async () => {
    onStage('waiting');
    const how = { kind, display: opened ? ('popup' as const) : ('page' as const), return_to: login.returnTo };
    const outcome =
      gameId === null
        ? await call(loginRoutes.start, { ...how, client_id: clientId, purpose })
        : await call(ingameLoginRoutes.start, { ...how, game_id: gameId });
    if (isOver) return;
    if (outcome.kind !== 'ok') return fail(faultOf(outcome));
    if (!/^https?:\/\//.test(outcome.content.url)) return fail(FAILED);
    if (opened) wait(outcome.content, opened);
    else login.leave(outcome.content.url);
  };
  void begin();
  return () => {
    settle();
    opened?.close();
    onStage('idle');
  };
}

function faultOf(outcome: { kind: 'code'; name: CodeName | null; msg: string } | { kind: 'network' }): LoginFault {
  return outcome.kind === 'network'
    ? { isNetwork: true, name: null, msg: '' }
    : { isNetwork: false, name: outcome.name, msg: outcome.msg };
}
