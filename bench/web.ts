// How much does a phone load, how soon can its owner choose goods, and how long do presses take on the way to the ways
// to pay? The built storefront in both versions, served by the real server. Told in docs/benchmarks.md.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { request } from 'undici';
import { announceShop } from '#e2e/running-shop.ts';
import { buildIfStale } from '#scripts/build.ts';
import { type Browser, findBrowser } from '#scripts/find-browser.ts';
import { openTestPlayers } from '#testing/players.ts';
import type { Version } from '#contracts/documents.ts';
import { type Defer, withCleanup } from './kit/cleanup.ts';
import { median } from './kit/figures.ts';
import { printGoals, printTable, show } from './kit/print.ts';
import { type BenchShop, startShop } from './kit/shop.ts';
import { machineCpuMs } from './kit/usage.ts';
import { type GoalRow, pageRows, walkRows, weightRows } from './storefront/goals.ts';
import { sumUpWalks, type Walk } from './storefront/interactions.ts';
import { type LighthouseRun, runLighthouse } from './storefront/lighthouse.ts';
import { prepareWalk, type WalkKind, walkToMethods } from './storefront/walk.ts';
import { compress, type Weights, weighStorefront } from './storefront/weights.ts';

/** The bench measures these pages of each version: its first page, and the way to the payment methods. */
const PAGES = [
  { name: 'new', version: 'new', host: 'watt.demo.localhost', path: '/selectGoods' },
  { name: 'classic', version: 'classic', host: 'joynet.demo.localhost', path: '/selectGame' },
] as const satisfies readonly { name: string; version: Version; host: string; path: string }[];

const WALKS: readonly WalkKind[] = [
  { name: 'new, phone', brand: 'watt', version: 'new', isWide: false },
  { name: 'new, desktop', brand: 'watt', version: 'new', isWide: true },
  { name: 'classic, phone', brand: 'joynet', version: 'classic', isWide: false },
];

/** The test accounts of every shop. */
const PASSWORD = 'refill-demo';

/** Answers whether all goals were met. */
export function benchWeb(options: { rounds: number }): Promise<boolean> {
  return withCleanup(async (defer) => {
    const browser = await findBrowser();
    await buildIfStale();
    const weights = await weighStorefront(fileURLToPath(new URL('../web/dist', import.meta.url)));
    const shop = await startShop(defer);
    printWeights(weights);
    const rows: GoalRow[] = PAGES.flatMap(({ name, version }) => weightRows(name, weights[version]));
    const taken: number[] = [];
    for (const page of PAGES) {
      const runs = await visitPage(defer, { browser, shop, page, rounds: options.rounds, taken });
      rows.push(...rowsOfRuns(page.name, runs));
    }
    rows.push(...(await walkAll(defer, { browser, shop, rounds: options.rounds, taken })));
    console.log(
      `Before the ${taken.length} runs others took ${show(median(taken) * 100)} % of the processors (at most ` +
        `${show(Math.max(...taken) * 100)} %).\n`,
    );
    return printGoals(rows);
  });
}

type Visit = { browser: Browser; shop: BenchShop; page: (typeof PAGES)[number]; rounds: number; taken: number[] };

async function visitPage(defer: Defer, { browser, shop, page, rounds, taken }: Visit): Promise<LighthouseRun[]> {
  const host = `${page.host}:${shop.port}`;
  const html = await weighPage(`${shop.serverOrigin}${page.path}`, host);
  console.log(
    `${page.name}, the page itself: ${show(html.bytes / 1000)} KB, ${show(html.brotliBytes / 1000)} KB after ` +
      `brotli; sent ${html.encoding} (${show(html.sentBytes / 1000)} KB).\n`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'refill-lighthouse-'));
  defer(() => rm(folder, { recursive: true, force: true }));
  const runs: LighthouseRun[] = [];
  for (let number = 1; number <= rounds; number += 1) {
    taken.push(await shareOfOthers());
    const outputFile = join(folder, `${number}.json`);
    runs.push(await runLighthouse(defer, { url: `http://${host}${page.path}`, browser, outputFile }));
  }
  printRuns(page.name, runs);
  for (const { longTasks } of runs) {
    const lines = longTasks.map(({ atMs, ms, script }) => `${ms.toFixed(0)} ms at ${atMs.toFixed(0)} (${script})`);
    console.log(`Long tasks: ${lines.join(', ')}`);
  }
  for (const fault of new Set(runs.flatMap((run) => run.faults))) console.log(`Cost points: ${fault}`);
  return runs;
}

function rowsOfRuns(name: string, runs: readonly LighthouseRun[]): GoalRow[] {
  const of = (figure: (run: LighthouseRun) => number) => median(runs.map(figure));
  return pageRows(name, {
    performance: of((run) => run.performance),
    accessibility: of((run) => run.accessibility),
    bestPractices: of((run) => run.bestPractices),
    largestPaintMs: of((run) => run.largestPaintMs),
    blockingMs: of((run) => run.blockingMs),
    layoutShift: of((run) => run.layoutShift),
  });
}

type Walks = { browser: Browser; shop: BenchShop; rounds: number; taken: number[] };

async function walkAll(defer: Defer, { browser, shop, rounds, taken }: Walks): Promise<GoalRow[]> {
  announceShop({ port: shop.port, databaseUrl: shop.databaseUrl, simulatorsUrl: '' });
  const { executablePath, args, env } = browser;
  const opened = await chromium.launch({ executablePath, args, env });
  defer(() => opened.close());
  const players = await openTestPlayers(shop.databaseUrl);
  defer(() => players.close());
  const rows: GoalRow[] = [];
  const table: string[][] = [];
  for (const kind of WALKS) {
    const player = `player${randomBytes(5).toString('hex')}`;
    await players.save(kind.brand, player, PASSWORD);
    const memory = await prepareWalk(opened, kind, player);
    const walks: Walk[] = [];
    for (let number = 1; number <= rounds; number += 1) {
      taken.push(await shareOfOthers());
      walks.push(await walkToMethods(opened, kind, memory));
    }
    const figures = sumUpWalks(walks);
    rows.push(...walkRows(kind.name, figures));
    const { choosingMs, openingMs, untilMethodsMs, requests, layoutShift } = figures;
    table.push([kind.name, ...[choosingMs, openingMs, untilMethodsMs, requests, layoutShift].map((one) => show(one))]);
  }
  printTable(
    [
      `Presses at a quarter of the processor (n = ${rounds})`,
      'choosing, ms',
      'opening, ms',
      'ways to pay after, ms',
      'requests',
      'layout shift',
    ],
    table,
  );
  return rows;
}

/** Our choice: shorter is chance, longer is waiting. */
const WATCH_MS = 1000;

/** How much of the processors others take while nothing of ours runs, 0 to 1. */
async function shareOfOthers(): Promise<number> {
  const before = machineCpuMs();
  const began = performance.now();
  await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
  return (machineCpuMs() - before) / ((performance.now() - began) * availableParallelism());
}

type Document = { bytes: number; brotliBytes: number; sentBytes: number; encoding: string };

/** The document as the server writes it, and as it is sent to a browser that takes brotli. */
async function weighPage(url: string, host: string): Promise<Document> {
  const read = async (headers: Record<string, string>) => {
    const response = await request(url, { headers: { host, accept: 'text/html', ...headers } });
    const body = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`);
    return { body, encoding: String(response.headers['content-encoding'] ?? 'as it is') };
  };
  const plain = await read({ 'accept-encoding': 'identity' });
  const sent = await read({ 'accept-encoding': 'br, gzip' });
  return {
    bytes: plain.body.length,
    brotliBytes: compress(plain.body),
    sentBytes: sent.body.length,
    encoding: sent.encoding,
  };
}

function printWeights(weights: Record<Version, Weights>): void {
  printTable(
    ['KB after brotli', 'scripts', 'files', 'styles'],
    PAGES.flatMap(({ name, version }) => {
      const { landing, wholeWay } = weights[version];
      return [[`${name}, first page`, landing] as const, [`${name}, whole way`, wholeWay] as const].map(
        ([what, { scriptBytes, scripts, styleBytes }]) => [
          what,
          show(scriptBytes / 1000),
          String(scripts),
          show(styleBytes / 1000),
        ],
      );
    }),
  );
}

function printRuns(name: string, runs: readonly LighthouseRun[]): void {
  const rows: [string, (run: LighthouseRun) => number][] = [
    ['performance', (run) => run.performance],
    ['accessibility', (run) => run.accessibility],
    ['best practices', (run) => run.bestPractices],
    ['first contentful paint, ms', (run) => run.firstPaintMs],
    ['largest contentful paint, ms', (run) => run.largestPaintMs],
    ['total blocking time, ms', (run) => run.blockingMs],
    ['cumulative layout shift', (run) => run.layoutShift],
    ['speed index, ms', (run) => run.speedIndexMs],
  ];
  printTable(
    [
      `${name}, Lighthouse, phone, slow 4G (n = ${runs.length})`,
      ...runs.map((_, index) => `run ${index + 1}`),
      'median',
    ],
    rows.map(([what, of]) => [what, ...runs.map((run) => show(of(run))), show(median(runs.map(of)))]),
  );
}
