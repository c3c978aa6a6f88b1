// The job queue of the simulation: kept by the database like the real one, so a job sent in a transaction is there when it commits, a job
// whose worker died runs again, and (because the shop calls them hints) now and then one is lost.
import type { Jobs } from '#server/platform/database/jobs.ts';
import type { SimSession } from './faulty-db.ts';
import type { Random } from './random.ts';
import type { Life, Stepper } from './stepper.ts';

type Handler = (data: never) => Promise<void>;

/** Runs `work` in some living process; rejects when that process dies. */
export type OnSomeLife = (work: (life: Life) => Promise<void>) => Promise<void>;

/** A dead worker's job is taken up again within 30 s. @source RELIABILITY section 2, rule 8 */
const AGAIN_MS = 30_000;
const MOST_TRIES = 20;

export function createSimJobs(deps: { stepper: Stepper; random: Random; loss: () => number; onSomeLife: OnSomeLife }) {
  const { stepper, random } = deps;
  const known = new Set<string>();
  const handlers = new Map<Life, Map<string, Handler>>();

  function add(queue: string, identity: string, data: object): void {
    const key = `${queue}:${identity}`;
    if (known.has(key)) return;
    known.add(key);
    if (random.chance(deps.loss())) stepper.note(`job ${key} is lost`);
    else attempt(queue, key, data, 1);
  }

  function attempt(queue: string, key: string, data: object, tries: number): void {
    stepper.later(tries === 1 ? random.between(0, 2000) : AGAIN_MS, `job ${key}`, () => {
      deps
        .onSomeLife(async (life) => {
          await handlers.get(life)?.get(queue)?.(data as never);
        })
        .catch(() => tries < MOST_TRIES && attempt(queue, key, data, tries + 1));
    });
  }

  return {
    /** The queue as one process knows it. */
    of: (life: Life): Jobs => ({
      send: async (db, queue, identity, data) => {
        const session = db as unknown as SimSession | null;
        if (session?.committed) session.committed.push(() => add(queue, identity, data));
        else
          await stepper.step({ life, kind: 'db', label: `send ${queue}`, latencyMs: 1 }, async () =>
            add(queue, identity, data),
          );
      },
      work: async (queue, handler) => {
        const mine = handlers.get(life) ?? new Map<string, Handler>();
        handlers.set(life, mine.set(queue, handler as Handler));
      },
      stop: async () => undefined,
    }),
  };
}
