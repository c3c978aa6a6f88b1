// `npm run chaos -- mutants`: breaks one condition of one money function at a time and runs the fast tests, which must
// fail. A mutant that survives is a condition that no test asks for.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChaosTest, FLAWLESS } from '#chaos/kit/chaos-test.ts';
import { forkPostgres } from '#scripts/start/start-postgres.ts';
import { EQUIVALENT } from './equivalent.ts';
import { type Mutant, listMutants } from './mutate.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
/** These modules place an order, or refuse, change or count it. */
const MODULES = ['orders', 'wallet', 'giftcards', 'coupons', 'codes', 'offers', 'spending', 'vip'];

/** Tests that walk the functions directly; all of them together take well under a minute. */
const FAST_TESTS = [
  'server/modules/orders/doors',
  'server/modules/orders/transitions',
  'server/modules/orders/store',
  'server/modules/orders/bystanders',
  'server/modules/orders/lease',
  'server/modules/orders/locks',
  'server/modules/orders/plans',
  'server/modules/orders/refunds/',
  'server/modules/orders/placing/',
  'server/modules/orders/steps/plain',
  'server/modules/orders/deliveries/',
  'server/modules/orders/payments/take-callback',
  'server/modules/orders/operator/',
  'server/modules/orders/partitions',
  'server/modules/orders/recovery/',
  'server/modules/webhooks/',
  'server/modules/privacy/erase',
  'server/modules/privacy/erasing/',
  'server/modules/wallet/',
  'server/modules/giftcards/',
  'server/modules/catalogue/store',
  'server/modules/replenish/',
  'server/modules/spending/',
  'server/modules/codes/store',
  'server/modules/offers/store',
  'server/modules/vip/level-coupons',
  'server/modules/vip/points',
];

/** Functions in which no mutant may survive: placing, applying a report, refunding. */
const NONE_SURVIVES =
  /^(place_order|place_plain_orders|make_order|add_attempt|reserve_goods|reserve_internal_tender|capture_internal_tender|take_idempotency_key|receive_report|apply_report|book_\w+|is_mismatch_booked|request_refund|record_refund_result|refund_internal_tender|refunded_parts|charged_back|lessen_refund|believed_refund)$/;

/** Our choice: enough for every function to have several, few enough for half an hour. */
const DEFAULT_COUNT = 100;
const AT_ONCE = 2;
/** Characters of a failed run that are told. */
const LAST_WORDS = 4000;
/** A mutant that waits for ever is seen as well: the tests take no longer than this often what they take unbroken. */
const SLOWEST_FACTOR = 4;

export const mutants: ChaosTest = {
  number: 'mut',
  name: 'mutants',
  about: 'one condition of the money functions broken at a time: the fast tests must see it; not part of "all"',
  load: (size, options) => `${options['count'] ?? (size === 'short' ? 6 : DEFAULT_COUNT)} mutants`,
  run: async (size, { options, say }) => {
    const all = await readMutants(options['only']);
    if (all.length === 0)
      return { ...FLAWLESS, faults: [`no function of ${MODULES.join(', ')} fits --only ${options['only']}`] };
    const count = Number(options['count'] ?? (size === 'short' ? 6 : DEFAULT_COUNT));
    const chosen = spread(all, count);
    say(`      ${all.length} mutants of ${new Set(all.map(({ of }) => of)).size} functions, ${chosen.length} chosen`);
    const folder = await mkdtemp(join(tmpdir(), 'refill-mutants-'));
    const postgres = await forkPostgres({ dataDir: join(folder, 'postgres'), temporary: true });
    const faults: string[] = [];
    try {
      const begunAt = Date.now();
      const unbroken = await runFastTests(postgres.socketUrl, null, null);
      if (!unbroken.isGreen) {
        say(unbroken.said);
        return { ...FLAWLESS, faults: ['the fast tests fail without any mutant (see what they said above)'] };
      }
      const longestMs = SLOWEST_FACTOR * (Date.now() - begunAt);
      const waiting = [...chosen];
      const work = async (): Promise<void> => {
        for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
          const file = join(folder, `${mutant.of}-${mutant.line}-${waiting.length}.sql`);
          await writeFile(file, mutant.sql);
          if (!(await runFastTests(postgres.socketUrl, file, longestMs)).isGreen) continue;
          const description = describe(mutant);
          say(`      survived: ${description}`);
          if (NONE_SURVIVES.test(mutant.of)) faults.push(`survived: ${description}`);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
    return { ...FLAWLESS, faults };
  },
};

const describe = ({ of, line, from, to }: Mutant): string => `${of}:${line} "${from}" -> "${to}"`;

async function readMutants(only: string | undefined): Promise<Mutant[]> {
  const found: Mutant[] = [];
  for (const module of MODULES) {
    const folder = join(project, 'server/modules', module, 'sql');
    for (const file of (await readdir(folder)).toSorted()) {
      const name = basename(file, '.sql');
      if (only === undefined || new RegExp(only).test(name))
        found.push(...listMutants(name, await readFile(join(folder, file), 'utf8')));
    }
  }
  return withoutEquivalent(found);
}

/** @param all in the order of their files' text */
function withoutEquivalent(all: readonly Mutant[]): Mutant[] {
  const counts = new Map<string, number>();
  return all.filter((mutant) => {
    const name = describe(mutant).replace(/:\d+ /, ' ');
    const place = (counts.get(name) ?? 0) + 1;
    counts.set(name, place);
    return !(name in EQUIVALENT || `${name} (${place})` in EQUIVALENT);
  });
}

const STRIDES = [7, 11, 13];

/** As even as may be over the functions: the first of each, then the second, and so on, from all over its text. */
function spread(all: readonly Mutant[], count: number): Mutant[] {
  const byFunction = Map.groupBy(all, ({ of }) => of);
  const lists = [...byFunction.values()].map((list) => {
    // Without a factor in common with the length a stride comes to every place before it comes round.
    const stride = STRIDES.find((prime) => list.length % prime !== 0) ?? 1;
    return list.map((_, index) => list[(index * stride) % list.length] as Mutant);
  });
  const chosen: Mutant[] = [];
  for (let round = 0; chosen.length < Math.min(count, all.length); round += 1)
    for (const list of lists) {
      const next = list[round];
      if (next && chosen.length < count) chosen.push(next);
      if (round > all.length) return chosen;
    }
  return chosen;
}

/**
 * Runs the fast tests on a database whose function was replaced by the one in `sqlFile`; says whether they passed, and
 * their output.
 */
async function runFastTests(
  databaseUrl: string,
  sqlFile: string | null,
  longestMs: number | null,
): Promise<{ isGreen: boolean; said: string }> {
  const args = [
    'run',
    '--project',
    'node',
    '--bail',
    '1',
    '--maxWorkers',
    '1',
    '--reporter',
    'tap-flat',
    ...FAST_TESTS,
  ];
  const child = spawn(process.execPath, [join(project, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: project,
    env: { ...process.env, DATABASE_URL: databaseUrl, ...(sqlFile ? { REFILL_TEST_SQL_FILE: sqlFile } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let failures = '';
  const keep = (text: Buffer): void => {
    // The failure stands far above the end: tests that began with it go on.
    failures = [
      failures,
      ...text
        .toString()
        .split('\n')
        .filter((line) => line.startsWith('not ok')),
    ].join('\n');
    said = `${said}${text.toString()}`.slice(-LAST_WORDS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const timer = longestMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), longestMs);
  const code = await new Promise<number | null>((resolve) => child.on('exit', (exit) => resolve(exit)));
  clearTimeout(timer);
  return { isGreen: code === 0, said: `${said}${failures}` };
}
