// One run of Lighthouse as a phone on slow 4G, in a process of its own. No judgement here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser } from '#scripts/find-browser.ts';
import type { Defer } from '../kit/cleanup.ts';

const CLI = fileURLToPath(new URL('../../node_modules/lighthouse/cli/index.js', import.meta.url));
/** Our choice: a run takes 15 to 40 s; one that takes longer hangs. */
const TIMEOUT_MS = 180_000;

/**
 * Scores from 0 to 100, times in milliseconds. `faults`: titles of what cost points of accessibility or best practices.
 */
export type LighthouseRun = {
  readonly performance: number;
  readonly accessibility: number;
  readonly bestPractices: number;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly blockingMs: number;
  readonly layoutShift: number;
  readonly speedIndexMs: number;
  /** Tasks of more than 50 ms, in their order: when they began and how long they took. */
  readonly longTasks: readonly { readonly atMs: number; readonly ms: number; readonly script: string }[];
  readonly faults: readonly string[];
};

type Task = { readonly url: string; readonly duration: number; readonly startTime: number };
type Report = {
  runtimeError?: { code: string; message: string };
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { title: string; score: number | null; numericValue?: number; details?: { items?: Task[] } }>;
};

/** @param outputFile where the report is written and read again; throws when the page could not be measured */
export async function runLighthouse(
  defer: Defer,
  options: { url: string; browser: Browser; outputFile: string },
): Promise<LighthouseRun> {
  const { url, browser, outputFile } = options;
  const child = spawn(
    process.execPath,
    [
      CLI,
      url,
      '--quiet',
      '--output=json',
      `--output-path=${outputFile}`,
      '--only-categories=performance,accessibility,best-practices',
      // Applied, not simulated: the simulation cannot tell one way of delivery from another over loopback.
      '--throttling-method=devtools',
      '--no-enable-error-reporting',
      `--chrome-flags=--headless=new ${browser.args.join(' ')}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...browser.env, CHROME_PATH: browser.executablePath } },
  );
  // Lighthouse ends its browser when it is interrupted, and on no other signal.
  const interrupt = () => child.kill('SIGINT');
  const exited = once(child, 'exit');
  defer(async () => {
    if (child.exitCode === null && child.signalCode === null && interrupt()) await exited;
  });
  const timer = setTimeout(interrupt, TIMEOUT_MS);
  const [code] = (await exited) as [number | null];
  clearTimeout(timer);
  if (code !== 0) throw new Error(`Lighthouse ended with ${code ?? 'a signal'}`);
  return readReport(JSON.parse(await readFile(outputFile, 'utf8')) as Report);
}

function readReport(report: Report): LighthouseRun {
  if (report.runtimeError) throw new Error(`Lighthouse: ${report.runtimeError.message}`);
  const score = (name: string): number => Math.round((report.categories[name]?.score ?? Number.NaN) * 100);
  const value = (name: string): number => report.audits[name]?.numericValue ?? Number.NaN;
  const faults = ['accessibility', 'best-practices'].flatMap((name) =>
    (report.categories[name]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = report.audits[id];
      return audit && weight > 0 && audit.score !== null && audit.score < 1 ? [`${audit.title} (${id})`] : [];
    }),
  );
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    firstPaintMs: value('first-contentful-paint'),
    largestPaintMs: value('largest-contentful-paint'),
    blockingMs: value('total-blocking-time'),
    layoutShift: value('cumulative-layout-shift'),
    speedIndexMs: value('speed-index'),
    longTasks: (report.audits['long-tasks']?.details?.items ?? [])
      .map(({ url, duration, startTime }) => ({ atMs: startTime, ms: duration, script: url.split('/').at(-1) ?? '' }))
      .toSorted((a, b) => a.atMs - b.atMs),
    faults,
  };
}
