// Which environment a database belongs to: one row, written by the first process that opens it
// and never changed afterwards.
import type { Environment } from '#kernel/environment.ts';
import { type Queryable, query } from './db.ts';

/** `message` is one sentence for a person; print it without a stack. */
export class EnvironmentFault extends Error {
  override readonly name = 'EnvironmentFault';
}

/**
 * Makes an empty database this environment's, or makes sure that it is.
 * @throws EnvironmentFault when it belongs to the other one; nothing was changed then
 */
export async function assignEnvironment(db: Queryable, environment: Environment): Promise<void> {
  await query(
    db,
    'environment_claim',
    'insert into shop_environment (environment) values ($1) on conflict do nothing',
    [environment],
  );
  await requireEnvironment(db, environment);
}

/**
 * Changes nothing, and lets a database pass that has no environment yet or no tables: there is nothing
 * in it that could be mixed up.
 * @throws EnvironmentFault when it belongs to the other one
 */
export async function requireEnvironment(db: Queryable, environment: Environment): Promise<void> {
  const [table] = await query<{ is_there: boolean }>(
    db,
    'environment_table',
    `select to_regclass('shop_environment') is not null as is_there`,
  );
  if (!table?.is_there) return;
  const [row] = await query<{ environment: Environment }>(
    db,
    'environment_read',
    'select environment from shop_environment',
  );
  if (row && row.environment !== environment)
    throw new EnvironmentFault(
      `This database belongs to the ${row.environment} environment and REFILL_ENVIRONMENT is ${environment}: ` +
        'give each environment a database of its own.',
    );
}
