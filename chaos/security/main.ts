// npm run security [-- <number...>] [--short]: ways of attacking the shop, each counted. The
// last line counts what failed.
import { parseArgs } from 'node:util';
import { answerHelp } from '#scripts/usage.ts';
import type { Size } from '../kit/chaos-test.ts';
import { openDatabases } from '../kit/databases.ts';
import { SECURITY_TESTS } from './all.ts';
import { openTestHarness } from './test-harness.ts';
import { type Finding, type SecurityTest, runSecurityTest } from './security-test.ts';

const USAGE = `Usage: npm run security [-- <number...>] [--short]

${SECURITY_TESTS.map(({ number, asvs, about }) => `  ${number.padStart(2)}  ${asvs.padEnd(14)} ${about}`).join('\n')}

  --short   the counts that npm test uses

Exit code 1: something was let through, or refused that must work.`;

async function main(): Promise<boolean> {
  answerHelp(USAGE);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { short: { type: 'boolean', default: false } },
  });
  const unknown = positionals.find((given) => !SECURITY_TESTS.some(({ number }) => number === given));
  if (unknown !== undefined) throw new RangeError(`There is no test "${unknown}".\n\n${USAGE}`);
  const chosen = SECURITY_TESTS.filter(({ number }) => positionals.length === 0 || positionals.includes(number));
  const databases = openDatabases();
  const harness = openTestHarness(databases.template);
  const stop = async () => {
    await harness.close();
    await databases.stop();
  };
  // PostgreSQL and the browser run in processes of their own: an interrupt ends them as well.
  const interrupt = () => void stop().then(() => process.exit(130));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  const size: Size = values.short ? 'short' : 'full';
  const findings: Finding[] = [];
  try {
    for (const test of chosen) findings.push(await runOne(test, size));
  } finally {
    await stop();
  }
  const failing = findings.filter(({ faults }) => faults.length > 0).length;
  const sum = (key: 'tried' | 'refused' | 'allowed') => findings.reduce((all, finding) => all + finding[key], 0);
  console.log(
    `${findings.length} tests, ${sum('tried')} tried: ${sum('refused')} refused, ${sum('allowed')} allowed. ` +
      `${failing} failing`,
  );
  return failing === 0;

  async function runOne(test: SecurityTest, how: Size): Promise<Finding> {
    const began = performance.now();
    const finding = await runSecurityTest(test, harness, how);
    const { tried, refused, allowed, faults } = finding;
    const seconds = `${((performance.now() - began) / 1000).toFixed(1)} s`;
    const counts = `tried ${tried}, refused ${refused}, allowed ${allowed}`;
    console.log(
      `${test.number.padStart(2)}  ${test.asvs.padEnd(14)} ${test.about.padEnd(90)} ${counts.padEnd(44)} ` +
        `${faults.length > 0 ? 'FAILED' : 'ok    '} ${seconds}`,
    );
    for (const fault of faults.slice(0, 8)) console.log(`      ${fault}`);
    if (faults.length > 8) console.log(`      and ${faults.length - 8} more`);
    return finding;
  }
}

try {
  // A browser that is gone may still keep its connections open.
  process.exit((await main()) ? 0 : 1);
} catch (error) {
  const isForReader = error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isForReader ? (error as Error).message : error);
  process.exitCode = 2;
}
