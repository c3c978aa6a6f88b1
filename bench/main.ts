// npm run bench -- orders | orders-split | orders-cluster | orders-growth | recovery | web: measures on this machine,
// on loopback only, and takes everything away again.
import { parseArgs } from 'node:util';
import { answerHelp } from '#scripts/usage.ts';
import { describeMachine } from './kit/print.ts';
import { benchOrders, isProviderName } from './orders.ts';
import { benchAgainst } from './orders-against.ts';
import { benchCluster } from './orders-cluster.ts';
import { benchGrowth } from './orders-growth.ts';
import { benchRecovery } from './recovery.ts';
import { benchWeb } from './web.ts';

const USAGE = `Usage: npm run bench -- <question> [options]

  orders   orders a second over the whole path, latency, processor time and memory of the server
           --players <n>     players at once (16)
           --seconds <n>     length of each measured phase (8)
           --rounds <n>      rounds, of which medians are taken (3)
           --provider <name> adyen, xsolla or paypal (adyen)
           --profile <dir>   also write a processor profile of the server there
           --statements      also say what each statement cost the database at full load
           --against <dir>   an installed checkout of another commit: both in turn, --rounds turns of each (at least 3)
  orders-split   the same with one process that serves and one that delivers
  orders-cluster the same on the nodes of a Citus cluster and, in turn, on a plain database of its coordinator
           --cluster <url> a database of the coordinator that knows its workers (docs/distributed.md)
           --rounds, --seconds, --players, --provider, --statements as above
  orders-growth  how long a player waits with 0, 1 and 10 million orders in the table, what an order takes after
                 retention, and how long a player waits while a month is archived
           --millions <list> sizes to measure (0,1,10); 10 million take 30 GB of disk
                             and seven minutes to write, and half an hour to archive a month of
           --orders <n>      instead: without any and with so many, e.g. 1000000
           --seconds, --players, --provider as above
  recovery  processor time and bytes of the text that games keep of an order; some seconds
  web      bytes of the storefront, and Lighthouse on a phone with slow 4G
           --rounds <n>      runs of Lighthouse, of which medians are taken (3)

Exit code 1: a goal was missed or a check failed. 3: with --against, others used the machine too much to judge.`;

/** Our choice: fewer turns cannot tell a difference from chance. */
const LEAST_TURNS = 3;
const QUESTIONS = ['orders', 'orders-split', 'orders-cluster', 'orders-growth', 'recovery', 'web'];

/** How it ended, by exit code. */
const EXIT = { met: 0, missed: 1, not_judged: 3 } as const;
const verdictOf = (isMet: boolean) => (isMet ? 'met' : 'missed');

async function main(): Promise<keyof typeof EXIT> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      players: { type: 'string', default: '16' },
      seconds: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '3' },
      provider: { type: 'string', default: 'adyen' },
      profile: { type: 'string' },
      statements: { type: 'boolean', default: false },
      against: { type: 'string' },
      cluster: { type: 'string' },
      millions: { type: 'string', default: '0,1,10' },
      orders: { type: 'string' },
    },
  });
  const question = positionals[0];
  if (positionals.length !== 1 || !QUESTIONS.includes(question ?? '')) throw new RangeError(USAGE);
  const { provider } = values;
  if (!isProviderName(provider)) throw new RangeError(`--provider is "${provider}": adyen, xsolla or paypal.`);
  const rounds = wholeNumber('rounds', values.rounds, 9);
  console.log(`${describeMachine()}\n`);
  if (values.against !== undefined && question !== 'orders') throw new RangeError('--against goes with orders only.');
  if (question === 'recovery') return verdictOf(benchRecovery());
  if (question === 'web') return verdictOf(await benchWeb({ rounds }));
  // Bounds, so that a slip of the keyboard does not become a load that runs for hours.
  const players = wholeNumber('players', values.players, 256);
  const seconds = wholeNumber('seconds', values.seconds, 300);
  if (question === 'orders-growth')
    return verdictOf(
      await benchGrowth({
        provider,
        players,
        seconds,
        millions:
          values.orders === undefined
            ? readMillions(values.millions)
            : [0, wholeNumber('orders', values.orders, 100_000_000) / 1e6],
      }),
    );
  if (question === 'orders-cluster') {
    if (values.cluster === undefined)
      throw new RangeError('orders-cluster needs --cluster <address of a coordinator>.');
    const { cluster, statements: countsStatements } = values;
    return verdictOf(await benchCluster({ cluster, provider, players, seconds, rounds, countsStatements }));
  }
  if (values.against !== undefined) {
    if (rounds < LEAST_TURNS) throw new RangeError(`--rounds is ${rounds}: two commits take at least ${LEAST_TURNS}.`);
    if (values.profile !== undefined || values.statements)
      throw new RangeError('--against measures two commits alike: leave out --profile and --statements.');
    return benchAgainst({ checkout: values.against, provider, players, seconds, turns: rounds });
  }
  const isMet = await benchOrders({
    provider,
    rounds,
    players,
    seconds,
    profileFolder: values.profile,
    countsStatements: values.statements,
    isSplit: question === 'orders-split',
  });
  return verdictOf(isMet);
}

/** "0,0.5,10": growing, at most ten. */
function readMillions(text: string): number[] {
  const sizes = text.split(',').map(Number);
  const isGrowing = sizes.every(
    (size, index) => size >= 0 && size <= 10 && (index === 0 || size > (sizes[index - 1] ?? 0)),
  );
  if (isGrowing && sizes.length > 0) return sizes;
  throw new RangeError(`--millions is "${text}": growing numbers from 0 to 10, as in "0,1,10".`);
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new RangeError(`--${name} is "${text}": it must be a whole number from 1 to ${max}.`);
}

answerHelp(USAGE);
try {
  process.exitCode = EXIT[await main()];
} catch (error) {
  const isForReader = error instanceof RangeError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
  console.error(isForReader ? (error as Error).message : error);
  process.exitCode = 2;
}
