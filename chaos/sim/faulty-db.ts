// A pool as the stores know it, each statement of which is a step of the simulation. All instances share one
// connection: one step runs at a time anyway, and an instance that dies inside a transaction loses it as a broken connection
// would.
import type pg from 'pg';
import type { Db } from '#server/platform/database/db.ts';
import type { ProcessInstance, Stepper } from './stepper.ts';

type Statement = string | { name?: string; text: string; values?: unknown[] };

/** A session inside a transaction. */
type SimSession = { query(statement: Statement, values?: unknown[]): Promise<unknown> };

export function createFaultyDb(deps: {
  client: pg.Client;
  stepper: Stepper;
  instance: ProcessInstance;
  latency: () => number;
}): Db {
  const { client, stepper, instance, latency } = deps;
  const ask = (statement: Statement, values?: unknown[], session?: SimSession) => {
    const label = nameOf(statement);
    return stepper.step(
      { instance, kind: 'db', label, latencyMs: latency(), ...(session ? { session } : {}) },
      async () => {
        if (session && label === 'begin') return stepper.openTransaction(instance, session);
        if (session && (label === 'commit' || label === 'rollback')) {
          await stepper.endTransaction(label);
          return undefined;
        }
        await stepper.syncClock();
        return typeof statement === 'string' ? client.query(statement, values) : client.query(statement);
      },
    );
  };

  async function connect() {
    let isBroken = false;
    const session: SimSession & { release(): void } = {
      query: async (statement, values) => {
        if (isBroken) throw new Error('Client has encountered a connection error and is not queryable');
        try {
          return await ask(statement, values, session);
        } catch (error) {
          // An error of SQL itself leaves the connection whole; only one that has no code lost it.
          isBroken = !(error as { code?: string }).code;
          throw error;
        }
      },
      release: () => undefined,
    };
    return session;
  }
  return { query: ask, connect } as unknown as Db;
}

function nameOf(statement: Statement): string {
  return typeof statement === 'string' ? statement.slice(0, 40) : (statement.name ?? statement.text.slice(0, 40));
}
