// npm run chaos -- <name...>: faults and abuse in full numbers. One line a test; the last line
// counts what was lost and doubled.
import { parseArgs } from 'node:util';
import { buildIfStale } from '#scripts/build.ts';
import { answerHelp } from '#scripts/usage.ts';
import { ABUSE } from './abuse/all.ts';
import { type ChaosTest, type Outcome, addOutcomes, isFlawless } from './kit/chaos-test.ts';
import { openDatabases } from './kit/databases.ts';
import { postgres } from './postgres.ts';
import { processTests } from './process-tests.ts';
import { cluster } from './cluster.ts';
import { codeHistories } from './code-histories.ts';
import { crashPoints } from './crash-points.ts';
import { modelCheck } from './model-check.ts';
import { outageOfHours } from './outage-of-hours.ts';
import { NUMBERED } from './numbered/all.ts';
import { seeds } from './seeds.ts';
import { mutants } from './mutants/run-mutants.ts';
import { restore } from './restore.ts';
import { soak } from './soak.ts';
import { upgrade } from './upgrade.ts';

const ALL: readonly ChaosTest[] = [
  crashPoints,
  ...NUMBERED,
  modelCheck,
  codeHistories,
  seeds,
  outageOfHours,
  ...processTests,
  restore,
  ...ABUSE,
];
/**
 * Every test there is, in the order in which they run. The soak has a night to itself, the
 * others need what is not here.
 */
const TESTS: readonly ChaosTest[] = [...ALL, soak, upgrade, postgres, cluster, mutants];
/** These start the server as it is started everywhere, and it serves what was built. */
const SERVED: readonly ChaosTest[] = [...processTests, restore, ...ABUSE, soak, upgrade, cluster];
/** Names that stand for several. */
const GROUPS: Readonly<Record<string, readonly ChaosTest[]>> = { all: ALL, numbered: NUMBERED, abuse: ABUSE };

const USAGE = `Usage: npm run chaos -- <name...> [--short] [--seeds N] [--seed K] [--sharing on|off] [--minutes M]
                           [--from <folder>] [--bin <folder>] [--root <folder>]

${TESTS.map((test) => `  ${test.name.padEnd(22)} ${test.number.padStart(4)}  ${test.about}`).join('\n')}
  numbered                     those of the list of forty that need no process of their own: 5 to 15, 18, 25, 27 to 33, 39
  abuse                        nonsense, pollution, huge, slow and smuggled requests: 34 to 38
  all                          everything but the soak, the upgrade, another PostgreSQL, a cluster and mutants

  --short    the numbers that npm test uses
  --seeds N  how many worlds (seeds)
  --seed K   one world again, with its whole story (seeds); the same questions again (abuse-fuzz)
  --sharing on|off  whether steps of several orders may share a transaction (seeds, crash-points); left out, both ways
  --minutes M  how long (soak); 30, and 240 for a night
  --from <folder>  checkout of the version before, installed and built (upgrade)
  --bin <folder>  initdb and postgres of another version (postgres)
  --root <folder>  a Debian 13 that chaos/kit/make-debian-root.sh has built (patroni)
  --cluster <address>  of a database of the coordinator, which has Citus and knows the workers (cluster)
  --count N  how many (mutants); 100
  --only <pattern>  functions by name (mutants), or numbered, statements, crashes, moving (cluster);
             a regular expression

Exit code 1: something was lost or doubled, an invariant or a promise did not hold, or nothing could be run.
A test that needs programs which are not here says so and is counted as not run.`;

async function main(): Promise<boolean> {
  answerHelp(USAGE);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      seeds: { type: 'string' },
      seed: { type: 'string' },
      minutes: { type: 'string' },
      sharing: { type: 'string' },
      from: { type: 'string' },
      bin: { type: 'string' },
      root: { type: 'string' },
      cluster: { type: 'string' },
      count: { type: 'string' },
      only: { type: 'string' },
    },
  });
  if (values.sharing !== undefined && values.sharing !== 'on' && values.sharing !== 'off')
    throw new RangeError(`--sharing is "${values.sharing}": it must be on or off.`);
  for (const name of ['seeds', 'seed', 'minutes', 'count'] as const) {
    if (values[name] !== undefined && !/^[1-9]\d{0,8}$/.test(values[name]))
      throw new RangeError(`--${name} is "${values[name]}": it must be a whole number from 1.`);
  }
  const isNamed = (test: ChaosTest, given: string) =>
    GROUPS[given]?.includes(test) ?? (given === test.name || given === test.number);
  const chosen = TESTS.filter((test) => positionals.some((given) => isNamed(test, given)));
  const unknown = positionals.find((given) => !TESTS.some((test) => isNamed(test, given)));
  if (chosen.length === 0 || unknown !== undefined)
    throw new RangeError(unknown === undefined ? USAGE : `There is no test "${unknown}".\n\n${USAGE}`);

  if (chosen.some((test) => SERVED.includes(test))) await buildIfStale();
  const size = values.short ? 'short' : 'full';
  const databases = openDatabases();
  const outcomes: Outcome[] = [];
  // PostgreSQL runs in a process of its own: an interrupt ends it as well.
  const stop = () => void databases.stop().then(() => process.exit(130));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  try {
    for (const test of chosen)
      outcomes.push(await runOne(test, size, { ...values, short: undefined }, databases.template));
  } finally {
    await databases.stop();
  }
  const { lost, doubled, breaches, faults } = addOutcomes(outcomes);
  const others = faults.length > 0 ? `, ${faults.length} broken promises` : '';
  const ran = outcomes.filter((outcome) => outcome.notRun === undefined);
  const missing = ran.length < outcomes.length ? `, ${outcomes.length - ran.length} not run` : '';
  console.log(
    `${lost.length} lost, ${doubled.length} doubled, ` +
      `${breaches.length === 0 ? 'invariants hold' : `${breaches.length} invariants broken`}${others}${missing}`,
  );
  return ran.length > 0 && ran.every(isFlawless);
}

async function runOne(
  test: ChaosTest,
  size: 'short' | 'full',
  options: Record<string, string | undefined>,
  template: () => Promise<string>,
): Promise<Outcome> {
  const began = performance.now();
  const outcome = await test
    .run(size, { template, options, say: (line) => console.log(line) })
    .catch((error: Error): Outcome => ({
      orders: 0,
      lost: [],
      doubled: [],
      breaches: [],
      faults: [error.stack ?? error.message],
    }));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const result =
    outcome.notRun !== undefined
      ? 'NOT RUN'
      : isFlawless(outcome)
        ? `ok, ${outcome.orders} ${outcome.unit ?? 'orders'}`
        : 'FAILED';
  console.log(
    `${test.number.padStart(4)}  ${test.name.padEnd(22)} ${test.load(size, options).padEnd(34)} ` +
      `${result.padEnd(18)} ${seconds} s`,
  );
  if (outcome.notRun !== undefined) console.log(`      ${outcome.notRun}`);
  for (const [kind, lines] of Object.entries({
    lost: outcome.lost,
    doubled: outcome.doubled,
    invariant: outcome.breaches,
    fault: outcome.faults,
  })) {
    for (const line of lines.slice(0, 10)) console.log(`      ${kind}: ${line}`);
    if (lines.length > 10) console.log(`      ${kind}: and ${lines.length - 10} more`);
  }
  return outcome;
}

try {
  // Players of a test that broke off may still be waiting for an answer; nothing else is left.
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  const isForReader = error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isForReader ? (error as Error).message : error);
  process.exitCode = 2;
}
