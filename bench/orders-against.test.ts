// Two commits in turn, with checkouts whose bench only says what a load would give: the order of slices, lost turns and
// the verdict.
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

/** A checkout that delivers `rate` orders a second, in slices of any length. */
async function makeCheckout(name: string, said: { rate: number; faults?: string[] }): Promise<string> {
  const folder = join(root, name);
  for (const room of ['bench/kit', 'bench/money-path', 'scripts', 'node_modules'])
    await mkdir(join(folder, room), { recursive: true });
  const files: Record<string, string> = {
    'package.json': '{ "type": "module" }',
    'scripts/build.ts': '',
    'bench/main.ts': '',
    'bench/kit/cleanup.ts': 'export const withCleanup = (work) => work(() => {});',
    'bench/orders.ts': `export const setUp = async (_defer, { players, provider }) => ({
      shop: { pids: { servers: [process.pid], postgres: [] }, stopServer: async () => {} },
      driver: { market: { buyers: [] }, simulators: { players, provider } },
      db: { query: async () => {} },
      server: { close: async () => {} },
    });`,
    'bench/money-path/books.ts': `
      export const readDelays = async (_db, numbers) => ({ callbackMs: numbers.map(() => 6) });
      export const findFaults = async () => ${JSON.stringify(said.faults ?? [])};`,
    'bench/money-path/drive.ts': `import { appendFileSync } from 'node:fs';
      const drive = (what, seconds, rate) => {
        appendFileSync(${JSON.stringify(join(root, 'slices'))}, ${JSON.stringify(name)} + ' ' + what + '\\n');
        return { seconds, orders: Array.from({ length: rate * seconds }, () => ({ billingNo: 'R1', payMs: 30 })) };
      };
      export const buy = async () => {};
      export const driveInParallel = async (seconds, players) =>
        drive(seconds + ' s by ' + players, seconds, ${said.rate});
      export const driveSteadily = async (seconds, rate) => drive(seconds + ' s at ' + rate + '/s', seconds, rate);`,
  };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  return folder;
}

/** @param taken by others, @param stolen by the host, each of the processors' time, 0 to 1, by the slice */
function compare(checkout: string, here: string, taken: (look: number) => number = () => 0, stolen = 0) {
  const now = { all: 0, busy: 0, stolen: 0 };
  let looks = 0;
  const processors = () => {
    looks += 1;
    now.all += 1e6;
    now.busy += 1e6 * taken(looks);
    now.stolen += 1e6 * stolen;
    return { ...now };
  };
  const options = { provider: 'adyen', players: 4, seconds: 4, turns: 3, warmUpSeconds: 3 };
  return benchAgainst({ checkout, here, processors, ...options });
}
const slices = async () => (await readFile(join(root, 'slices'), 'utf8')).trim().split('\n');
/** Looks at the processors in a turn: before and after it, and around each of its eight slices at full load. */
const LOOKS = 18;

test('both are warmed, then loaded alike in turn, and who goes first changes', async () => {
  const [old, here] = [await makeCheckout('old', { rate: 800 }), await makeCheckout('new', { rate: 790 })];
  expect(await compare(old, here)).toBe('met');
  const pair = (first: string, second: string) =>
    ['1 s by 4', '1 s at 200/s'].flatMap((what) => [`${first} ${what}`, `${second} ${what}`]);
  const turn = [...pair('old', 'new'), ...pair('new', 'old'), ...pair('old', 'new'), ...pair('new', 'old')];
  expect(await slices()).toEqual(['old 3 s by 4', 'new 3 s by 4', ...turn, ...turn, ...turn]);
  expect(printed.join('\n')).toMatch(/orders delivered +800 \/s +790 \/s +0\.99/);
});

test('slower than nine tenths misses the goal', async () => {
  const [old, here] = [await makeCheckout('old', { rate: 800 }), await makeCheckout('new', { rate: 700 })];
  expect(await compare(old, here)).toBe('missed');
});

test('a disturbed turn is played again, and does not count', async () => {
  const [old, here] = [await makeCheckout('old', { rate: 800 }), await makeCheckout('new', { rate: 790 })];
  expect(await compare(old, here, (look) => (look > LOOKS && look <= 2 * LOOKS ? 0.3 : 0))).toBe('met');
  expect(await slices()).toHaveLength(2 + 4 * 16);
  expect(printed.filter((line) => line.includes('does not count'))).toHaveLength(1);
});

test.each([
  ['others take', 0.4, 0],
  ['the host gives to others', 0, 0.2],
])('nothing is judged where %s too much', async (_who, taken, stolen) => {
  const [old, here] = [await makeCheckout('old', { rate: 800 }), await makeCheckout('new', { rate: 790 })];
  expect(await compare(old, here, () => taken, stolen)).toBe('not_judged');
  expect(await slices()).toHaveLength(2 + 6 * 16);
  expect(printed.at(-1)).toContain('Not judged');
});

test('a side whose books do not add up is no ground to judge by', async () => {
  const old = await makeCheckout('old', { rate: 800 });
  const here = await makeCheckout('new', { rate: 790, faults: ['the game holds a key twice'] });
  await expect(compare(old, here)).rejects.toThrow('The orders of the new commit do not add up: the game holds a key');
});

test('a side that cannot start says why', async () => {
  const [old, here] = [await makeCheckout('old', { rate: 800 }), await makeCheckout('new', { rate: 790 })];
  await writeFile(join(old, 'bench/orders.ts'), 'throw new Error("no database to be had");');
  await expect(compare(old, here)).rejects.toThrow(/The old commit could not be measured:\n[^]*no database to be had/);
});

test.each([
  ['nowhere', 'has no bench/main.ts'],
  ['bare', 'run "npm ci" there'],
])('%s is no checkout that can be measured', async (name, reason) => {
  await mkdir(join(root, 'bare/bench'), { recursive: true });
  await writeFile(join(root, 'bare/bench/main.ts'), '');
  await expect(compare(join(root, name), await makeCheckout('new', { rate: 1 }))).rejects.toThrow(reason);
});
