// Two commits in turn, with checkouts that only print what a run would: the order of runs, lost turns and the verdict.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { benchAgainst } from './orders-against.ts';

let root: string;
let printed: string[];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-against-'));
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterEach(() => rm(root, { recursive: true }));

/** A checkout whose n-th run says `rates[n]` delivered, while others take `taken[n]` per cent; the last one repeats. */
async function makeCheckout(name: string, said: { rates: number[]; taken?: number[] }): Promise<string> {
  const folder = join(root, name);
  for (const room of ['bench', 'scripts', 'node_modules']) await mkdir(join(folder, room), { recursive: true });
  await writeFile(join(folder, 'scripts/build.ts'), '');
  await writeFile(
    join(folder, 'bench/main.ts'),
    `import { appendFileSync, readFileSync } from 'node:fs';
     const log = ${JSON.stringify(join(root, 'runs'))};
     appendFileSync(log, ${JSON.stringify(`${name} `)} + process.argv.slice(2).join(' ') + '\\n');
     const turn = readFileSync(log, 'utf8').split('\\n').filter((line) => line.startsWith(${JSON.stringify(`${name} `)})).length - 1;
     const rates = ${JSON.stringify(said.rates)}, taken = ${JSON.stringify(said.taken ?? [0])};
     console.log('Others took ' + (taken[turn] ?? taken.at(-1)) + ' % of the processors at full load.');
     console.log('orders delivered                         at least 600 /s    ' + (rates[turn] ?? rates.at(-1)) + ' /s     met');
     console.log('pay call, p99                            at most 50.0 ms   31.4 ms     met');
     console.log('callback to delivered at 200/s, median   at most 15.0 ms   6.10 ms     met');
     console.log('callback to delivered at 200/s, p99      at most 50.0 ms   30.0 ms     met');
     console.log('server processor time an order           at most 1.00 ms   0.92 ms     met');
     console.log('server memory, peak                       at most 250 MB    220 MB     met');
     process.exitCode = 1;`,
  );
  return folder;
}
/** @param stealing of every hundred ticks that pass, those the host gives to others */
function compare(checkout: string, here: string, stealing = 0) {
  let looks = 0;
  const processors = () => ({ all: 100 * (looks += 1), stolen: stealing * looks });
  return benchAgainst({ checkout, here, processors, provider: 'adyen', players: 4, seconds: 1, turns: 3 });
}
const runs = async () => (await readFile(join(root, 'runs'), 'utf8')).trim().split('\n');

test('both run the same load in turn, and who goes first changes', async () => {
  const [old, here] = [await makeCheckout('old', { rates: [800] }), await makeCheckout('new', { rates: [790] })];
  expect(await compare(old, here)).toBe('met');
  const load = 'orders --rounds 1 --players 4 --seconds 1 --provider adyen';
  expect(await runs()).toEqual(['old', 'new', 'new', 'old', 'old', 'new'].map((name) => `${name} ${load}`));
  expect(printed.join('\n')).toMatch(/orders delivered +800 \/s +790 \/s +0\.99/);
});

test('slower than nine tenths misses the goal', async () => {
  const [old, here] = [await makeCheckout('old', { rates: [800] }), await makeCheckout('new', { rates: [700] })];
  expect(await compare(old, here)).toBe('missed');
});

test('a disturbed turn is played again, and does not count', async () => {
  const old = await makeCheckout('old', { rates: [800], taken: [0, 30, 0] });
  const here = await makeCheckout('new', { rates: [790, 100, 790] });
  expect(await compare(old, here)).toBe('met');
  expect(await runs()).toHaveLength(8);
  expect(printed.filter((line) => line.includes('does not count'))).toHaveLength(1);
});

test('nothing is judged where others take too much', async () => {
  const old = await makeCheckout('old', { rates: [800] });
  const here = await makeCheckout('new', { rates: [790], taken: [40] });
  expect(await compare(old, here)).toBe('not_judged');
  expect(await runs()).toHaveLength(12);
  expect(printed.at(-1)).toContain('Not judged');
});

test('nor where the host gives the processors to others', async () => {
  const [old, here] = [await makeCheckout('old', { rates: [800] }), await makeCheckout('new', { rates: [790] })];
  expect(await compare(old, here, 20)).toBe('not_judged');
});

test.each([
  ['nowhere', 'has no bench/main.ts'],
  ['bare', 'run "npm ci" there'],
])('%s is no checkout that can be measured', async (name, reason) => {
  await mkdir(join(root, 'bare/bench'), { recursive: true });
  await writeFile(join(root, 'bare/bench/main.ts'), '');
  await expect(compare(join(root, name), await makeCheckout('new', { rates: [1] }))).rejects.toThrow(reason);
});
