// THE table of what the page does when a call does not succeed, keyed by the name of the
// code. Nothing else decides that.
import type { BillingInfo } from '#contracts/orders.ts';
import type { CodeName } from '#contracts/errors.ts';
import type { PayResult } from '#contracts/payments.ts';
import { paths, type ShopPath } from '#web/paths.ts';
import type { Outcome } from './api.ts';

/** A call that got no answer. */
export type NetworkFault = Extract<Outcome<unknown>, { kind: 'network' }>;

/** The page can do this about a code. Several may follow on each other. */
export type Step =
  | { do: 'toast' }
  | { do: 'clearUser' }
  | { do: 'openLogin' }
  | { do: 'clearRegion' }
  | { do: 'clearGame' }
  | { do: 'askReopen' }
  | { do: 'explainRealName' }
  | { do: 'offerCheckInGame' }
  | { do: 'askAge' }
  | { do: 'showUnpaid' }
  | { do: 'go'; to: ShopPath };

const TOAST: Step[] = [{ do: 'toast' }];

/**
 * Codes with a handling of their own; an empty list leaves it to the caller. All others show the server's message.
 * @source specification section 8, "Handling"
 */
export const REACTIONS: Partial<Record<CodeName, readonly Step[]>> = {
  success: [],
  wrongDomain: [{ do: 'clearRegion' }, { do: 'go', to: paths.notArea }],
  // The first page says why, and the next login leads to the check.
  notRealName: [{ do: 'clearUser' }, { do: 'go', to: paths.home }, { do: 'explainRealName' }],
  // Asked once, before the first order where minors may not spend all they want.
  ageUnknown: [{ do: 'askAge' }],
  replenishError: [{ do: 'go', to: paths.errorReplenish }],
  notLoggedIn: [{ do: 'clearUser' }, { do: 'openLogin' }],
  noGame: [{ do: 'toast' }, { do: 'clearGame' }],
  // On pay and price: the coupon is dropped and the coupons load again, by the recharge popup.
  illegalCoupon: [],
  // The line of the code tells why, in the order.
  promoRefused: [],
  // The answer carries the order that exists already; the recharge popup shows it.
  repeatOrder: [],
  // The answer carries the orders that are in the way.
  tooManyOrders: [{ do: 'showUnpaid' }],
  openOrderOtherPrice: [{ do: 'showUnpaid' }],
  // Whoever asked to cancel shows it beside that button, with the time when the order closes.
  orderStillPayable: [],
};

/**
 * The steps for a code. In the SDK view the login is the game's: it renews a lost one, and nobody is logged out for a
 * check.
 */
export function stepsFor(name: CodeName | null, isSdkView = false): readonly Step[] {
  if (name === null) return TOAST;
  if (name === 'notLoggedIn' && isSdkView) return [{ do: 'askReopen' }];
  if (name === 'notRealName' && isSdkView) return [{ do: 'offerCheckInGame' }];
  return REACTIONS[name] ?? TOAST;
}

/** The page of errors has words for these; web/screens/notices/show-error.tsx draws them. */
export type ErrorReason = 'network' | 'query' | 'cookies';

/** Carries the steps out; put in by the app, where router, session and popups are at hand. */
export type Actions = {
  toast: (text: string) => void;
  /** Tells the operator of a call that got no answer; the first step there, before any word to the player. */
  report: (fault: NetworkFault) => void;
  /** Tells the player of one. */
  toastNetwork: (fault: NetworkFault) => void;
  /** Lets the player write what went wrong. */
  openReport: () => void;
  clearUser: () => void;
  openLogin: (onDone?: () => void) => void;
  clearRegion: () => void;
  clearGame: () => void;
  /** Asks the player to open the page from the game again. */
  askReopen: () => void;
  explainRealName: () => void;
  /** Offers the real-name check to a player whom the game logged in. */
  offerCheckInGame: () => void;
  /** Asks the player how old they are. */
  askAge: () => void;
  /** Leads to unpaid orders that keep another one from being placed. `text` says why. */
  showUnpaid: (orders: readonly BillingInfo[], text: string, name: CodeName | null) => void;
  go: (to: ShopPath) => void;
  /** The page that explains what went wrong. @source specification section 2, "/showError" */
  showError: (reason: ErrorReason) => void;
  isSdkView: () => boolean;
};

let actions: Actions | null = null;

export function setActions(next: Actions): void {
  actions = next;
}

/** Leaves the page for the one that explains. */
export function showError(reason: ErrorReason): void {
  actions?.showError(reason);
}

/**
 * Does what the table says about an outcome. A success does nothing. Reads made through useQuery come here by
 * themselves; call it for the outcome of a change.
 * @param onLogin after a login that this asks for, before the page starts again
 */
export function react(outcome: Outcome<unknown>, onLogin?: () => void): void {
  if (!actions || outcome.kind === 'ok') return;
  if (outcome.kind === 'network') {
    reportNetwork(outcome);
    actions.toastNetwork(outcome);
    return;
  }
  for (const step of stepsFor(outcome.name, actions.isSdkView())) {
    if (step.do === 'openLogin') actions.openLogin(onLogin);
    else if (step.do === 'showUnpaid') showUnpaid(outcome, actions);
    else carryOut(step, outcome.msg, actions);
  }
}

/** For failures that a part of the page shows itself. @source specification section 8: "then report and toast" */
export function reportNetwork(fault: NetworkFault): void {
  actions?.report(fault);
}

export function openReport(): void {
  actions?.openReport();
}

function showUnpaid({ name, msg, content }: Extract<Outcome<unknown>, { kind: 'code' }>, by: Actions): void {
  const orders = (content as Partial<PayResult> | null)?.open_orders ?? [];
  // None that this session may see: the words are all there is.
  if (orders.length === 0) by.toast(msg);
  else by.showUnpaid(orders, msg, name);
}

function carryOut(step: Exclude<Step, { do: 'openLogin' | 'showUnpaid' }>, message: string, by: Actions): void {
  switch (step.do) {
    case 'toast':
      return by.toast(message);
    case 'go':
      return by.go(step.to);
    default:
      return by[step.do]();
  }
}
