// How much does a phone load, and how soon can its owner choose goods? The built storefront, served by
// the real server, on slow 4G.
// Told in docs/benchmarks.md.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { buildIfStale } from '#scripts/build.ts';
import { findBrowser } from '#scripts/find-browser.ts';
import { withCleanup } from './kit/cleanup.ts';
import { type Goal, median } from './kit/figures.ts';
import { printGoals, printTable, show } from './kit/print.ts';
import { startShop } from './kit/shop.ts';
import { type LighthouseRun, runLighthouse } from './storefront/lighthouse.ts';
import { compress, weighStorefront } from './storefront/weights.ts';

const LANDING = '/selectGoods';
const HOST = 'watt.demo.localhost';

/** KB are 1000 bytes after brotli. @source docs/benchmarks.md, "Goals" */
const GOALS = {
  landing: { name: 'scripts of the landing page', limit: 100, sense: 'at most', unit: 'KB' },
  wholeWay: { name: 'scripts of the whole way', limit: 160, sense: 'at most', unit: 'KB' },
  performance: { name: 'Lighthouse performance', limit: 100, sense: 'at least', unit: '' },
  accessibility: { name: 'Lighthouse accessibility', limit: 100, sense: 'at least', unit: '' },
  bestPractices: { name: 'Lighthouse best practices', limit: 100, sense: 'at least', unit: '' },
  largestPaint: { name: 'largest contentful paint', limit: 1300, sense: 'at most', unit: 'ms' },
  blocking: { name: 'total blocking time', limit: 50, sense: 'at most', unit: 'ms' },
  shift: { name: 'cumulative layout shift', limit: 0, sense: 'at most', unit: '' },
} satisfies Record<string, Goal>;

/** Answers whether all goals were met. */
export function benchWeb(options: { rounds: number }): Promise<boolean> {
  return withCleanup(async (defer) => {
    const browser = await findBrowser();
    await buildIfStale();
    const weights = await weighStorefront(fileURLToPath(new URL('../web/dist', import.meta.url)));
    const shop = await startShop(defer);
    const html = await weighPage(shop.serverOrigin, shop.port);
    const folder = await mkdtemp(join(tmpdir(), 'refill-lighthouse-'));
    defer(() => rm(folder, { recursive: true, force: true }));

    const runs: LighthouseRun[] = [];
    for (let number = 1; number <= options.rounds; number += 1) {
      const outputFile = join(folder, `${number}.json`);
      runs.push(await runLighthouse(defer, { url: `http://${HOST}:${shop.port}${LANDING}`, browser, outputFile }));
    }
    const { landing, wholeWay } = weights;
    printTable(
      ['KB after brotli', 'scripts', 'files', 'styles'],
      [
        ['landing page', show(landing.scriptBytes / 1000), String(landing.scripts), show(landing.styleBytes / 1000)],
        ['whole way', show(wholeWay.scriptBytes / 1000), String(wholeWay.scripts), show(wholeWay.styleBytes / 1000)],
      ],
    );
    console.log(
      `The page itself: ${show(html.bytes / 1000)} KB, ${show(html.brotliBytes / 1000)} KB after brotli; sent ${html.encoding} (${show(html.sentBytes / 1000)} KB).\n`,
    );
    printRuns(runs);
    const of = (figure: (run: LighthouseRun) => number) => median(runs.map(figure));
    const isMet = printGoals([
      { goal: GOALS.landing, value: landing.scriptBytes / 1000 },
      { goal: GOALS.wholeWay, value: wholeWay.scriptBytes / 1000 },
      { goal: GOALS.performance, value: of((run) => run.performance) },
      { goal: GOALS.accessibility, value: of((run) => run.accessibility) },
      { goal: GOALS.bestPractices, value: of((run) => run.bestPractices) },
      { goal: GOALS.largestPaint, value: of((run) => run.largestPaintMs) },
      { goal: GOALS.blocking, value: of((run) => run.blockingMs) },
      { goal: GOALS.shift, value: of((run) => run.layoutShift) },
    ]);
    for (const fault of new Set(runs.flatMap((run) => run.faults))) console.log(`Cost points: ${fault}`);
    return isMet;
  });
}

type Page = { bytes: number; brotliBytes: number; sentBytes: number; encoding: string };

/** The document as the server writes it, and as it is sent to a browser that takes brotli. */
async function weighPage(origin: string, port: number): Promise<Page> {
  const host = `${HOST}:${port}`;
  const read = async (headers: Record<string, string>) => {
    const response = await request(`${origin}${LANDING}`, { headers: { host, accept: 'text/html', ...headers } });
    const body = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode !== 200) throw new Error(`${LANDING} answered ${response.statusCode}`);
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

function printRuns(runs: readonly LighthouseRun[]): void {
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
    [`Lighthouse, phone, slow 4G (n = ${runs.length})`, ...runs.map((_, index) => `run ${index + 1}`), 'median'],
    rows.map(([name, of]) => [name, ...runs.map((run) => show(of(run))), show(median(runs.map(of)))]),
  );
}
