// `refill database distribute`: spreads a database over the nodes of a Citus cluster, by the player
// (docs/distributed.md).
import { type Db, transaction } from '#server/platform/database/db.ts';
import { makeShardSchemas } from '#server/platform/database/schema/shard-schemas.ts';
import { setForNodes } from '#server/platform/database/schema/spread.ts';
import {
  allowRepartition,
  countOthers,
  declareAtPlayer,
  findCitus,
  isDeclared,
  type LiesAt,
  listPlaces,
  listTriggers,
  spreadTable,
  takeGuardsOff,
  takeTriggersOff,
} from './distribute-store.ts';
import { AT_THEIR_PLAYER, PLACES, type Place } from './places-rules.ts';

/** `message` is one sentence for a person; nothing was changed. */
export class DistributeFault extends Error {
  override readonly name = 'DistributeFault';
}

/** One table that is left to distribute; steps run in this order. */
export type Step = { readonly table: string; readonly place: Place };

/**
 * Looks whether the database can be spread, and which tables are left; changes nothing.
 * @throws DistributeFault
 */
export async function planDistribution(db: Db): Promise<Step[]> {
  const citus = await findCitus(db);
  if (citus.version === null)
    throw new DistributeFault(
      'This database has no Citus: create extension citus on every node, tell the coordinator of the workers ' +
        '(citus_add_node), and try again.',
    );
  if (!citus.isCoordinator)
    throw new DistributeFault('This is a worker of the cluster: give the address of the coordinator.');
  if (citus.workers === 0)
    throw new DistributeFault('The coordinator knows no node that may hold shards: add one with citus_add_node.');
  const found = await listPlaces(db);
  for (const { name, kind, column } of found) refuseOther(name, kind, column);
  const missing = Object.keys(PLACES).find((name) => !found.some((table) => table.name === name));
  if (missing !== undefined)
    throw new DistributeFault(
      `The table ${missing} is not here: bring the database to this version first (refill apply).`,
    );
  const plain = new Set(found.filter(({ kind }) => kind === 'plain').map(({ name }) => name));
  const steps = Object.entries(PLACES)
    .filter(([table, { kind }]) => kind !== 'coordinator' && plain.has(table))
    .map(([table, place]) => ({ table, place }));
  if (steps.length === 0) return steps;
  await refuseTriggers(db, steps);
  const others = await countOthers(db);
  if (others > 0)
    throw new DistributeFault(
      `Refill is connected to this database ${others} more times: stop its servers and workers first, for tables ` +
        'are moved.',
    );
  return steps;
}

function refuseOther(name: string, kind: LiesAt['kind'], column: string | null): void {
  const place = PLACES[name];
  if (!place)
    throw new DistributeFault(`The table ${name} is none of Refill's: move it to another schema, it cannot be spread.`);
  const isRight = kind === 'plain' || (kind === place.kind && (place.kind !== 'key' || place.column === column));
  if (!isRight)
    throw new DistributeFault(
      `The table ${name} is spread in another way (${kind}) than this version needs (${place.kind}): ` +
        `undistribute_table('${name}') first.`,
    );
}

/** Triggers that Refill knows how to do without; any other would be lost. */
const OWN_TRIGGERS: Readonly<Record<string, readonly string[]>> = {
  orders: ['order_transition_checked'],
  ledger_entry: ['ledger_append_only', 'ledger_balanced', 'ledger_never_emptied'],
  points_entry: ['points_entry_append_only', 'points_entry_never_emptied'],
  wallet_txn: ['wallet_txn_append_only', 'wallet_txn_never_emptied'],
  wallet_entry: ['wallet_balanced', 'wallet_entry_append_only', 'wallet_entry_never_emptied'],
};

async function refuseTriggers(db: Db, steps: readonly Step[]): Promise<void> {
  for (const { table } of steps) {
    const strange = (await listTriggers(db, table)).find((name) => !OWN_TRIGGERS[table]?.includes(name));
    if (strange !== undefined)
      throw new DistributeFault(
        `The table ${table} has the trigger ${strange}, which is none of Refill's, and a spread table can have ` +
          'none: drop it first.',
      );
  }
}

/**
 * Spreads what is left, a table a transaction: after a fault the same call goes on where it stopped. Servers may run
 * where no table is left: then it makes the schemas of shards that have none, as of one that was moved.
 * @param options.tell hears of each table before it is moved
 */
export async function distribute(
  db: Db,
  steps: readonly Step[],
  options: { tell: (step: Step) => void },
): Promise<void> {
  await transaction(db, setForNodes);
  await allowRepartition(db);
  for (const step of steps) {
    options.tell(step);
    await transaction(db, async (client) => {
      await client.query('set local statement_timeout = 0');
      await takeTriggersOff(client, step.table, OWN_TRIGGERS[step.table] ?? []);
      await takeGuardsOff(client, step.table);
      await spreadTable(client, step.table, step.place);
    });
  }
  for (const signature of AT_THEIR_PLAYER) if (!(await isDeclared(db, signature))) await declareAtPlayer(db, signature);
  await makeShardSchemas(db);
}
