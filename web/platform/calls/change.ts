// A change that is sent again while no answer comes, as a read is: three more times, four seconds apart, then at the
// backup hosts. Only where once more does no more: by its Idempotency-Key (paying, taking a prepaid card), or because the
// server answers a repetition as the first try: claiming a coupon, one step of an event, cancelling an order, a cap, a
// pause, the age (the first one stays, and is shown), ending sessions, keeping an account, the log-out.
// Sent once by `call`:
// - logins: a wrong password counts each time, a provider's code is good once, a second session would be left open;
// - "receive all" of an event: after a try that worked nothing is left, which is answered as a failure;
// - another password, and a login that is unlinked: the repetition is refused, though the first try worked;
// - reports, which would come twice, and erasing, which is counted and asks for a name.
import { type InputOf, type OutputOf, type Route, isAtBackupHost } from '#contracts/route.ts';
import { t } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';
import { call, newKey, type Outcome } from './api.ts';
import { backupToken } from './hosts.ts';
import { CallError, RETRIES, RETRY_DELAY_MS, shouldRetry } from './query.ts';

export type ChangeOptions = {
  /** Made up when left out: the tries of one change have one key. */
  idempotencyKey?: string;
  /** When the first try got no answer: the player is told that the page goes on. A toast unless given. */
  onWait?: () => void;
};

const tellWait = () => showToast(t('error.retrying'));

/** @source specification section 8: "Network errors retry up to 3 times, 4 s apart, then switch to backup domains" */
export async function change<R extends Route>(
  route: R,
  input: InputOf<R>,
  { idempotencyKey = newKey(), onWait = tellWait }: ChangeOptions = {},
): Promise<Outcome<OutputOf<R>>> {
  for (let failures = 0; ; failures += 1) {
    const outcome = await call(route, input, { idempotencyKey });
    if (!isOpen(outcome, failures) || !isWorthMore(route, outcome, failures)) return outcome;
    if (failures === 0) onWait();
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
  }
}

/** No answer; or, to a repetition, that the try before is still at work: its answer comes by the same key. */
function isOpen(outcome: Outcome<unknown>, failures: number): boolean {
  return outcome.kind === 'network' || (failures > 0 && outcome.kind === 'code' && outcome.name === 'requestRunning');
}

function isWorthMore(route: Route, outcome: Outcome<unknown>, failures: number): boolean {
  // Not sent at all: the page is about to start again.
  if (outcome.kind === 'network' && outcome.path === undefined) return false;
  const isLastHere = failures % (RETRIES + 1) === RETRIES;
  // Nothing stands for the player at a backup host: there it would only go to our own once more.
  if (isLastHere && (backupToken() === null || !isAtBackupHost(route))) return false;
  return shouldRetry(failures, new CallError({ kind: 'network' }));
}
