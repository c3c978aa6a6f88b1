// `refill database distribute`: spreads the database over the nodes of a Citus cluster (docs/distributed.md).
import type { Command } from 'commander';
import { DistributeFault, distribute, planDistribution, type Step } from '#server/modules/distribution/service.ts';
import { readDatabaseUrl } from '#server/platform/config.ts';
import { openCommandDb } from './database.ts';
import { InputFault, type Terminal } from './terminal.ts';

export function addDistributeCommand(program: Command, terminal: Terminal): void {
  const database = program.command('database').description('how the database lies on its machines');
  database
    .command('distribute')
    .description(
      'spread the tables over the nodes of a Citus cluster, by the player; says what it will do, then does it',
    )
    .option('--dry-run', 'only say what it would do')
    .action((options: { dryRun?: boolean }) => run(terminal, options.dryRun === true));
}

async function run(terminal: Terminal, isDry: boolean): Promise<void> {
  const url = readDatabaseUrl(terminal.environment);
  if (!url)
    throw new InputFault(
      'Only a database of your own can be spread: give its address as DATABASE_URL, of the coordinator.',
    );
  const db = openCommandDb(url);
  try {
    const steps = await planDistribution(db);
    const isSpread = steps.length === 0;
    if (isSpread) terminal.out('All tables are spread already. Shards that have no schema of functions get one.');
    else for (const line of describe(steps)) terminal.out(line);
    if (isDry) return;
    await distribute(db, steps, { tell: ({ table }) => terminal.out(`  ${table}`) });
    terminal.out(isSpread ? 'Done.' : 'Done. Start the servers again with the address of the coordinator.');
  } catch (error) {
    if (error instanceof DistributeFault) throw new InputFault(error.message);
    throw error;
  } finally {
    await db.end();
  }
}

function describe(steps: readonly Step[]): string[] {
  const named = (kind: Step['place']['kind']): Step[] => steps.filter(({ place }) => place.kind === kind);
  const line = (words: string, found: readonly Step[]): string[] =>
    found.length === 0 ? [] : [`${words}: ${found.map(({ table }) => table).join(', ')}.`];
  return [
    ...line('By the player, beside each other', named('player')),
    ...named('key').map(({ table, place }) => `By ${'column' in place ? place.column : ''}: ${table}.`),
    ...line('Whole on every node', named('copies')),
    'All other tables stay on the coordinator. Moving, one table a transaction; after a fault the same ' +
      'command goes on:',
  ];
}
