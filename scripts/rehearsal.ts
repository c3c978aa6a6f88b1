// npm run rehearsal [-- <step> ... | deploy]: from an empty folder to a delivered and refunded order of a shop of one's own, as a
// publisher would go, with the minutes that each step took. What it does stands in rehearsal/steps.ts.
import { rehearseDeploy } from './rehearsal/deploy.ts';
import { runSteps } from './rehearsal/run-steps.ts';
import { STEPS } from './rehearsal/steps.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !STEPS.some((step) => step.name === name));
if (wanted.join() === 'deploy') {
  // Stands on none of the steps: production on one machine, with the programs around it.
  process.exitCode = (await rehearseDeploy()) ? 0 : 1;
} else if (unknown) {
  console.error(`There is no step "${unknown}": ${STEPS.map(({ name }) => name).join(', ')}; or deploy alone.`);
  process.exitCode = 1;
} else {
  // Steps stand on those before them, so the last one that is named says how far it goes.
  const last = Math.max(...wanted.map((name) => STEPS.findIndex((step) => step.name === name)));
  process.exitCode = (await runSteps(wanted.length > 0 ? STEPS.slice(0, last + 1) : STEPS)) ? 0 : 1;
}
// The embedded PostgreSQL's exit hook would end the process with 0, and a browser may keep it alive.
process.exit();
