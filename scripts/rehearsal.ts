// npm run rehearsal [-- <step> ... | deploy | docs] [--from <folder>]: from an empty folder to a delivered and refunded
// order of a shop of one's own, as a publisher would go, and the upgrade from the release before, with the minutes that
// each step took. What it does stands in rehearsal/steps.ts.
import { parseArgs } from 'node:util';
import { rehearseDeploy } from './rehearsal/deploy.ts';
import { rehearseDocs } from './rehearsal/docs.ts';
import { runSteps } from './rehearsal/run-steps.ts';
import { chooseSteps, listSteps } from './rehearsal/steps.ts';

const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: { from: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
const steps = listSteps(values.from);
const unknown = wanted.find((name) => !steps.some((step) => step.name === name));
if (values.help) {
  console.log(`Usage: npm run rehearsal [-- <step> ...] [--from <folder>]
       npm run rehearsal -- deploy | docs

Steps, all of them unless some are named: ${steps.map(({ name }) => name).join(', ')}.
deploy: production on one machine, with the programs around it. docs: what the documents say can be run.
--from <folder>: checkout of the release before, installed and built, for the step upgrade.`);
} else if (wanted.join() === 'deploy') {
  // Stands on none of the steps: production on one machine, with the programs around it.
  process.exitCode = (await rehearseDeploy()) ? 0 : 1;
} else if (wanted.join() === 'docs') {
  process.exitCode = (await rehearseDocs()) ? 0 : 1;
} else if (unknown) {
  console.error(`There is no step "${unknown}": ${steps.map(({ name }) => name).join(', ')}; or deploy or docs alone.`);
  process.exitCode = 1;
} else {
  process.exitCode = (await runSteps(chooseSteps(steps, wanted))) ? 0 : 1;
}
// The embedded PostgreSQL's exit hook would end the process with 0, and a browser may keep it alive.
process.exit();
