// Lists THE security events that are written to the log, each with its level and sentence. A line carries the event's
// name under `security`, so that an operator can count and alarm on it; details never hold a secret, a name that was
// typed, or a text of a stranger.
import type { Log } from './log.ts';
import { countEvent } from './metrics/metrics.ts';
import { type NoiseBudget, createNoiseBudget } from './noise-budget.ts';

/** @source OWASP ASVS 5.0, 16.3.1 to 16.3.4: authentication, authorization, and what tries to get round the controls */
export const SECURITY_EVENTS = {
  login_ok: ['info', 'a player logged in'],
  login_failed: ['warn', 'a login failed'],
  login_limited: ['warn', 'a login was refused by its limit'],
  login_refused: ['warn', 'a login by another identity was refused'],
  login_queue_full: ['warn', 'passwords are tried faster than they can be checked'],
  login_failures_high: ['error', 'far more logins fail than usual'],
  logout: ['info', 'a player logged out'],
  password_changed: ['info', 'a password was changed, other sessions are over'],
  password_rehashed: ['info', 'a password was hashed again, normalised and with the parameters of today'],
  person_exported: ['info', 'a player downloaded what is held about them'],
  person_erasure_asked: ['warn', 'a player asked to be erased'],
  person_erasure_withdrawn: ['info', 'a player took the wish to be erased back'],
  person_erased: ['warn', 'a person was erased'],
  sessions_ended: ['info', 'a player ended sessions'],
  identity_linked: ['info', 'an identity was linked'],
  identity_unlinked: ['info', 'an identity was unlinked'],
  identity_over: ['info', 'a company declared an identity over: its link is set aside, its sessions are ended'],
  notice_refused: ['warn', 'a notice about an identity was refused'],
  login_link_opened: ['info', 'a link of a game opened a session'],
  login_link_refused: ['warn', 'a ticket or a token in an address was refused'],
  login_link_asked: [
    'info',
    'a link came from another site, or was for another account than the one logged in: the player is asked',
  ],
  account_switched: ['info', 'a player went on as the account of a link'],
  ticket_issued: ['info', 'a game was given a ticket'],
  ticket_refused: ['warn', 'a call for a ticket was refused'],
  offer_refused: ['warn', 'a call of a game that gives an offer was refused'],
  legacy_token_used: ['info', 'a call named its session in its address'],
  token_beside_cookie: ['warn', 'a call named one account and brought the cookie of another'],
  change_refused: ['warn', 'a change was refused: not from a page of ours'],
  replenish_refused: ['warn', 'a signed call for a make-up payment was refused'],
  payment_out_of_bounds: ['warn', 'a session that a game opened was to pay for something else'],
  beta_on: ['info', 'a browser went into super mode'],
  beta_refused: ['warn', 'a key of super mode was refused'],
  csp_violation: ['warn', 'a page was about to do what its policy forbids'],
  callback_refused: ['warn', 'a callback was refused'],
  card_attempts_limited: ['warn', 'an attempt with a card was refused: too many of its network failed lately'],
  callback_unchecked: ['warn', 'a callback could not be checked now; its sender is asked to send it again'],
  notice_unchecked: [
    'warn',
    'a notice about an identity could not be proven now; its sender is asked to send it again',
  ],
  card_refused: ['warn', 'a prepaid card was refused'],
  credit_refused: ['warn', 'a credit call was not proven, stale or sent again'],
  admin_forbidden: ['warn', 'a call of the admin API was refused: its key lacks the scope'],
  admin_refused: ['warn', 'a call of the admin API was refused: key, signature or time'],
} as const satisfies Record<string, readonly ['info' | 'warn' | 'error', string]>;

export type SecurityEvent = keyof typeof SECURITY_EVENTS;

// A number that is first seen at one has not grown.
for (const event of Object.keys(SECURITY_EVENTS)) countEvent('securityEvents', { event }, 0);

/** Events that anybody can bring about as often as they like, without an account: their lines have a budget. */
const FREE_FOR_ALL: ReadonlySet<SecurityEvent> = new Set<SecurityEvent>([
  'callback_refused', 'callback_unchecked', 'notice_refused', 'notice_unchecked', 'login_link_refused', 'beta_refused', 'change_refused',
  'ticket_refused', 'offer_refused', 'replenish_refused', 'credit_refused', 'token_beside_cookie', 'legacy_token_used', 'login_limited', 'csp_violation',
  'admin_refused',
]); /* a row a line */ // prettier-ignore

const budgets = new WeakMap<Log, NoiseBudget>();

function budgetOf(log: Log): NoiseBudget {
  const known = budgets.get(log);
  if (known) return known;
  const made = createNoiseBudget((unwritten) =>
    log.warn({ security: 'unwritten', unwritten }, 'more was refused within a minute than is written one by one'),
  );
  budgets.set(log, made);
  return made;
}

/**
 * Writes one event. `details`: brand, ip, player, reason, numbers.
 * @returns false when it was only counted, because too much of the like was written within the minute: then
 *   nothing else should be either
 */
export function noteSecurity(log: Log, event: SecurityEvent, details: Readonly<Record<string, unknown>>): boolean {
  countEvent('securityEvents', { event });
  const ip = typeof details['ip'] === 'string' ? details['ip'] : '';
  if (FREE_FOR_ALL.has(event) && !budgetOf(log).takes(event, ip)) return false;
  const [level, sentence] = SECURITY_EVENTS[event];
  log[level]({ ...details, security: event }, sentence);
  return true;
}
