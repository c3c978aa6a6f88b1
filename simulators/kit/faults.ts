// The faults of a simulator, named by words that a payer types into the note or a
// test queues for coming calls.

export const sentinels = {
  timeout:
    "The money is taken, but the shop's next question about it hangs for 12 seconds; the callback comes after 20.",
  duplicate: 'The callback is sent three times at once.',
  late: 'The callback comes after 20 seconds and the payer is not sent back.',
  lost: 'No callback at all: only asking the provider tells.',
  'wrong-amount': 'One minor unit less is paid; callback and query say so, correctly signed.',
  'wrong-currency': 'Another currency is paid; callback and query say so, correctly signed.',
  'wrong-reference': 'The callback names another order of the shop, correctly signed.',
  'wrong-merchant': 'The callback names another merchant account or project, correctly signed (PayPal names none).',
  'bad-signature': 'The callback is signed with a wrong key, at every re-send.',
  reorder: 'First a callback that reports failure, then the success.',
  'reorder-reverse': 'First the success, then a stale callback that reports failure.',
  unreadable: 'It is told as paid, but the amount stands under a name that nobody knows, or not at all.',
  'unknown-status':
    'It is told with a status word that nobody knows; where only the kind of a callback says so, by asking alone.',
  early: "The callback arrives before the provider has answered the shop's own call.",
  error500: "The shop's next question about this payment is answered with status 500.",
} as const;

export type Sentinel = keyof typeof sentinels;

/**
 * Spoils an answer or a callback about a payment as the words `unreadable` and `unknown-status` ask.
 * @param places `money`: names of the amount and its currency; `status`: name of the status
 *   word; `word`: one that nobody knows, of the provider's form; `isStrict`: the form has no room for fields of other
 *   names
 */
export function spoilView<View extends Record<string, unknown>>(
  view: View,
  faults: readonly Sentinel[],
  places: { money?: readonly string[]; status?: string; word?: unknown; isStrict?: boolean },
): View {
  const spoilt: Record<string, unknown> = { ...view };
  const { money = [], status, word, isStrict = false } = places;
  if (faults.includes('unreadable'))
    for (const name of money) {
      if (!isStrict) spoilt[`${name}_of_tomorrow`] = spoilt[name];
      delete spoilt[name];
    }
  if (faults.includes('unknown-status') && status !== undefined)
    spoilt[status] = word ?? `${String(spoilt[status])}_OF_TOMORROW`;
  return spoilt as View;
}

/** Faults of one API call. `refused` ones do not carry the call out; the others do and spoil the answer. */
export const callFaults = [
  'timeout', // carried out, answered after 12 s
  'hang', // not carried out, connection cut after 12 s
  'error500', // not carried out
  'error429', // not carried out
  'reset', // not carried out, connection cut
  'reset-after', // carried out, connection cut
  'empty', // carried out, empty 200
  'html', // carried out, a web page instead of JSON
] as const;

export type CallFault = (typeof callFaults)[number];

export function isSentinel(word: string): word is Sentinel {
  return Object.hasOwn(sentinels, word);
}

export function isCallFault(word: string): word is CallFault {
  return (callFaults as readonly string[]).includes(word);
}

/** The sentinel words in a note, in the order written; other words mean nothing. */
export function readSentinels(note: string | undefined): Sentinel[] {
  return (note ?? '')
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter(isSentinel);
}

export type QueuedFault = { on: string; fault: string; times: number };

export type FaultBook = {
  /** `on` is the operation (`create`, `query`, ...) or `any`. */
  add(fault: QueuedFault): void;
  /** Takes the fault meant for this call, if any. */
  take(on: string): string | undefined;
  list(): QueuedFault[];
  clear(): void;
};

/** Queued faults live in memory only: a restarted provider is a healthy one. */
export function createFaultBook(): FaultBook {
  let queue: QueuedFault[] = [];
  return {
    add: (fault) => void queue.push({ ...fault }),
    take(on) {
      if (queue.length === 0) return undefined;
      const found = queue.find((entry) => entry.on === on || entry.on === 'any');
      if (!found) return undefined;
      found.times -= 1;
      if (found.times <= 0) queue = queue.filter((entry) => entry !== found);
      return found.fault;
    },
    list: () => queue.map((entry) => ({ ...entry })),
    clear: () => void (queue = []),
  };
}
