// `refill provider new` in a copy of the project: types pass, and the conformance suite says
// in sentences what is missing. Its name is not that of docs/walks/provider-engineer.md, whose provider may be there.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { scaffoldProvider } from './scaffold.ts';

const project = join(import.meta.dirname, '..', '..');
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'refill-provider-'));
  for (const path of ['package.json', 'tsconfig.json', '.oxfmtrc.json', 'kernel', 'contracts', 'generated', 'server', 'simulators', 'testing', 'e2e', 'scripts'])
    await cp(join(project, path), join(root, path), { recursive: true, force: false }).catch((error: NodeJS.ErrnoException) => {
      // `generated` is made by a check and may not be there yet.
      if (error.code !== 'ENOENT') throw error;
    }); /* a row a line */ // prettier-ignore
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'), 'junction');
});

afterAll(() => rm(root, { recursive: true, force: true }));

type Run = { code: number; out: string };

function run(script: string, args: string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: root, maxBuffer: 16 << 20 }, (error, out, err) =>
      resolve({ code: Number(error?.code ?? 0), out: `${out}${err}` }),
    );
  });
}
const refill = (...args: string[]) =>
  run(join(project, 'cli', 'main.ts'), ['provider', 'new', '--root', root, ...args]);
const tool = (name: string, ...path: string[]) => join(project, 'node_modules', name, ...path);

test('refuses a name that is none, or is taken, and writes nothing', async () => {
  const read = () => readFile(join(root, 'server/providers/payments/registry.ts'), 'utf8');
  const before = await read();
  const begin = (name: string, title = 'Trial Bank') => scaffoldProvider(root, { name, title });
  await expect(begin('Big-Bank')).rejects.toThrow('small letters and digits');
  await expect(begin('../x')).rejects.toThrow('small letters and digits');
  await expect(begin('adyen')).rejects.toThrow('is there already');
  await expect(begin('trialbank', "x'; drop")).rejects.toThrow('--title');
  expect(await read()).toBe(before);
});

test('begins a provider whose types pass, and the suite tells what is missing', { timeout: 180_000 }, async () => {
  const made = await refill('trialbank', '--title', 'Trial Bank');
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('Trial Bank begins in 8 files') });
  const adapter = await readFile(join(root, 'server/providers/payments/trialbank/provider.ts'), 'utf8');
  expect(adapter).toContain("name: 'trialbank'");
  expect(adapter).not.toMatch(/@\w+@/);

  const files = ['server/providers/payments/registry.ts', 'simulators/payments/all.ts', 'e2e/conformance/trialbank.ts'];
  await writeFile(join(root, 'tsconfig.new.json'), JSON.stringify({ extends: './tsconfig.json', include: [], files }));
  const types = await run(tool('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'tsconfig.new.json']);
  expect(types.out.split('\n').filter((line) => line.includes('trialbank'))).toEqual([]);
  const ours = [...made.out.matchAll(/^ {2}(\S+\.ts)$/gm)].map(([, path = '']) => path);
  expect(await run(tool('oxfmt', 'bin', 'oxfmt'), ['--check', ...ours])).toMatchObject({ code: 0 });

  const config = { include: ['e2e/conformance/conformance.test.ts'], experimental: { viteModuleRunner: false } };
  await writeFile(join(root, 'vitest.config.ts'), `export default ${JSON.stringify({ test: config })};`);
  const suite = await run(tool('vitest', 'vitest.mjs'), ['run', '-t', 'trialbank', '--reporter=verbose', '--no-color']);
  expect(suite.code).toBe(1);
  expect(suite.out).toContain(
    'server/providers/payments/trialbank/provider.test.ts with the published vectors is missing.',
  );
  expect(suite.out).toContain('create of Trial Bank is not written yet: see docs/adding-a-provider.md');
  expect(suite.out).toContain('the adapter has no refund; its declaration must say why under absent');
  expect(suite.out).toContain('the adapter has no cancel; its declaration must say why under absent');
  expect(suite.out).toContain('the adapter has no check; its declaration must say why under absent');
});
