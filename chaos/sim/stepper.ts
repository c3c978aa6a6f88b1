// The heart of the simulation: everything that is awaited is a step in one queue ordered by virtual time,
// and one step runs at a time.
// Before and after each step the process it belongs to may die, or the step may fail; who decides that is handed in.
import type pg from 'pg';
import { BEGINNING, setTime } from './virtual-time.ts';

/** One process of the shop, from its start to its kill. Nothing of a dead one ever goes on. */
export type ProcessInstance = { readonly name: string; isDead: boolean; readonly onDeath: Set<() => void> };

export type StepKind = 'db' | 'port';
/**
 * `die-before`: killed before the step did anything. `die-after`: it happened, nobody hears of it.
 * `fail-*`: the same, but the process lives and gets an error.
 */
export type FaultDecision = 'goes-well' | 'die-before' | 'die-after' | 'fail-before' | 'fail-after';
export type Step = { readonly instance: ProcessInstance; readonly kind: StepKind; readonly label: string };

type Item = {
  at: number;
  readonly kind: StepKind | 'event' | 'poll';
  readonly instance: ProcessInstance | null;
  readonly label: string;
  /** The transaction that a statement belongs to. */
  readonly session?: object | undefined;
  perform(): Promise<void> | void;
};

export type Stepper = ReturnType<typeof createStepper>;

/** One turn for what waits on nothing but promises: every continuation runs up to its next step. */
const settle = async () => {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export function createStepper(deps: {
  client: pg.Client;
  decideFault: (step: Step) => FaultDecision;
  /** The error a process sees when its connection breaks. */
  connectionLost: () => Error;
  /** Earliest moment, epoch milliseconds, at which a poll would find work; Infinity when there is none. */
  nextDue: () => Promise<number>;
  /** Spreads polls over their interval. */
  jitter: () => number;
}) {
  const queue: Item[] = [];
  const trace: string[] = [];
  let now = BEGINNING;
  let clockInDatabase = 0;
  /** The transaction that is open: until it ends, no other statement runs, as row locks would have it. */
  let transaction: { instance: ProcessInstance; session: object } | null = null;

  const note = (line: string) => trace.push(`${((now - BEGINNING) / 1000).toFixed(3).padStart(12)} ${line}`);
  const push = (item: Item) => queue.push(item);

  /** @param latencyMs virtual time until it happens */
  function step<Result>(
    of: Step & { latencyMs: number; session?: object },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const { instance, kind, label, latencyMs, session } = of;
    return new Promise<Result>((resolve, reject) => {
      if (instance.isDead) return;
      push({
        at: now + latencyMs,
        kind,
        instance,
        label,
        session,
        perform: async () => {
          const fault = deps.decideFault({ instance, kind, label });
          note(`${instance.name} ${label}${fault === 'goes-well' ? '' : `: ${fault}`}`);
          if (fault === 'die-before') return kill(instance);
          if (fault === 'fail-before') return lose(session, reject);
          try {
            const result = await work();
            if (fault === 'die-after') return await kill(instance);
            if (fault === 'fail-after') return await lose(session, reject);
            resolve(result);
          } catch (error) {
            reject(error as Error);
          }
        },
      });
    });
  }

  /** The connection of a transaction breaks: the server takes it back, unless it was committed. */
  async function lose(session: object | undefined, reject: (error: Error) => void): Promise<void> {
    if (session && transaction?.session === session) await endTransaction('rollback');
    reject(deps.connectionLost());
  }

  async function endTransaction(how: 'commit' | 'rollback'): Promise<void> {
    transaction = null;
    await deps.client.query(how);
  }

  async function kill(instance: ProcessInstance): Promise<void> {
    if (instance.isDead) return;
    if (transaction?.instance === instance) await endTransaction('rollback');
    note(`${instance.name} is killed`);
    instance.isDead = true;
    for (let index = queue.length - 1; index >= 0; index -= 1)
      if (queue[index]?.instance === instance) queue.splice(index, 1);
    for (const stop of instance.onDeath) stop();
  }

  /**
   * The world's own doings: a player's tap, a provider's callback. A promise is waited for,
   * so it must wait for no step.
   */
  function later(delayMs: number, label: string, work: () => Promise<void> | void): void {
    push({ at: now + Math.max(0, delayMs), kind: 'event', instance: null, label, perform: work });
  }

  function repeatFor(instance: ProcessInstance) {
    return (intervalMs: number, work: () => void): (() => void) => {
      let isStopped = false;
      const poll = (at: number) =>
        push({
          at,
          kind: 'poll',
          instance,
          label: `poll ${intervalMs}`,
          perform: () => {
            if (isStopped) return;
            work();
            poll(now + intervalMs);
          },
        });
      poll(now + intervalMs * deps.jitter());
      return () => {
        isStopped = true;
      };
    };
  }

  function takeNext(): Item | null {
    let best = -1;
    for (const [index, item] of queue.entries()) {
      if (item.kind === 'db' && transaction && item.session !== transaction.session) continue;
      if (best < 0 || item.at < (queue[best] as Item).at) best = index;
    }
    return best < 0 ? null : (queue.splice(best, 1)[0] ?? null);
  }

  /**
   * Polls that would find nothing are passed over: time jumps to where something is due. True when
   * there is nothing at all to come.
   */
  async function skipIdlePolls(poll: Item, until: number): Promise<'run' | 'skipped' | 'nothing'> {
    const others = queue.filter((item) => item.kind !== 'poll').map((item) => item.at);
    const target = Math.min(...others, await deps.nextDue());
    if (target <= poll.at) return 'run';
    if (target === Infinity || target > until) return 'nothing';
    for (const item of [poll, ...queue]) {
      if (item.kind === 'poll' && item.at < target)
        item.at = target + Math.floor(Number(item.label.slice(5)) * deps.jitter() * 0.5);
    }
    push(poll);
    return 'skipped';
  }

  return {
    step,
    later,
    kill,
    repeatFor,
    note,
    trace,
    now: () => now,
    /** To be called inside the step of `begin`: from there on no statement of another session runs. */
    openTransaction: async (instance: ProcessInstance, session: object): Promise<void> => {
      transaction = { instance, session };
      await deps.client.query('begin');
    },
    endTransaction,
    /** Turns the database's clock to now, if it is not there yet. */
    syncClock: async () => {
      if (clockInDatabase === now) return;
      clockInDatabase = now;
      await setTime(deps.client, now);
    },
    /** Runs until `until` (epoch milliseconds) or until nothing is to come; `isDone` ends it earlier. */
    run: async (until: number, isDone: () => boolean = () => false): Promise<void> => {
      for (let count = 0; !isDone(); count += 1) {
        if (count > 60_000) throw new Error('the simulation does not come to an end');
        await settle();
        const item = takeNext();
        if (!item) {
          if (queue.length > 0) throw new Error('a transaction waits for something outside of it');
          return;
        }
        if (item.at > until) {
          push(item);
          break;
        }
        if (item.kind === 'poll') {
          const verdict = await skipIdlePolls(item, until);
          if (verdict === 'skipped') continue;
          if (verdict === 'nothing') {
            push(item);
            break;
          }
        }
        now = Math.max(now, item.at);
        await item.perform();
      }
      if (until !== Infinity) now = Math.max(now, until);
    },
  };
}
