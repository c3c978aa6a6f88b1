// The shop as in production, on a database of its own, with payment providers simulated: planned, applied, served.
import { join } from 'node:path';
import { startSimulators } from '#simulators/start.ts';
import { buildIfStale } from '#scripts/build.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { findQuietPort } from '#scripts/start/start-ports.ts';
import { forkPostgres } from '#scripts/start/start-postgres.ts';
import type { Step } from './run-steps.ts';

export const serveSteps: readonly Step[] = [
  {
    name: 'database',
    about: 'an empty PostgreSQL, and sandboxes of payment providers (simulated)',
    async run(world) {
      const postgres = await forkPostgres({ dataDir: join(world.scratch, 'postgres'), temporary: true });
      world.defer(postgres.stop);
      const port = await findQuietPort();
      world.facts.url = `http://fjord.demo.localhost:${port}`;
      const dataDir = join(world.scratch, 'simulators');
      const simulators = await startSimulators({ port: 0, dataDir, shopUrl: world.facts.url, games: [] });
      world.defer(simulators.close);
      Object.assign(world.environment, simulators.environment, {
        DATABASE_URL: postgres.socketUrl,
        REFILL_ENVIRONMENT: 'demo',
        PORT: String(port),
      });
      return `PostgreSQL ${postgres.pid}, ${simulators.url}`;
    },
  },
  {
    name: 'plan',
    about: 'refill plan',
    async run(world) {
      const out = await world.refill(['plan'], { mayEndWith: 2 });
      const lines = out.trim().split('\n');
      const own = ['+ brand fjord: new', '+ game skald: new'];
      const lacking = own.find((line) => !out.includes(line));
      if (lacking) throw new Error(`the plan does not say "${lacking}":\n${out}`);
      const foreign = lines.find((line) => /^\+ (brand|game) /.test(line) && !own.some((one) => line.startsWith(one)));
      if (foreign) throw new Error(`the plan brings what is not this shop's: ${foreign}`);
      return `${lines.length} lines, all of this shop`;
    },
  },
  {
    name: 'apply',
    about: 'refill apply',
    run: async (world) => (await world.refill(['apply'])).trim().split('\n').at(-1) ?? '',
  },
  {
    name: 'build',
    about: 'npm run build, once for each version of the product',
    run: async () => ((await buildIfStale()).built ? 'built' : 'was built already'),
  },
  {
    name: 'serve',
    about: 'refill serve',
    async run(world) {
      const command = [process.execPath, join(projectRoot, 'scripts', 'refill.mjs'), '--shop', world.shop, 'serve'];
      await world.start(command, {}, /"ready":true/);
      const { url = '' } = world.facts;
      const answer = await fetch(url.replace('fjord.demo.localhost', '127.0.0.1'), {
        headers: { host: new URL(url).host },
      }).catch((error: unknown) => error as Error);
      if (answer instanceof Error) throw answer;
      return `ready at ${url}`;
    },
  },
];
