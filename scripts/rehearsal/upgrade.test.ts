import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '#scripts/release/git.ts';
import type { Step } from './run-steps.ts';
import { chooseSteps } from './steps.ts';
import { findReleaseBefore, tellUpgrade } from './upgrade.ts';

test('the release before is the newest version below this commit', async () => {
  const root = await mkdtemp(join(tmpdir(), 'refill-before-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const commit = async (...tags: string[]) => {
    await git(root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'A', '--allow-empty');
    for (const tag of tags) await git(root, 'tag', tag);
  };
  await git(root, 'init', '--quiet');
  await commit();
  expect(await findReleaseBefore(root)).toBe(null);
  await commit('v0.9.0', 'v0.10.0', 'vaguely', 'other');
  // A version is no release before itself.
  expect(await findReleaseBefore(root)).toBe(null);
  await commit('v0.11.0');
  expect(await findReleaseBefore(root)).toBe('v0.10.0');
  await commit();
  expect(await findReleaseBefore(root)).toBe('v0.11.0');
});

test('without a tag it is the commit that gave the version before', async () => {
  const root = await mkdtemp(join(tmpdir(), 'refill-before-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await git(root, 'init', '--quiet');
  const commit = async (version: string, more = '') => {
    await writeFile(join(root, 'package.json'), `{\n  "version": "${version}",\n  "name": "a${more}"\n}\n`);
    await git(root, 'add', '-A');
    await git(root, '-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', version);
    return (await git(root, 'rev-parse', 'HEAD')).trim();
  };
  const first = await commit('0.1.0');
  expect(await findReleaseBefore(root)).toBe(null);
  await commit('0.1.0', 'b');
  expect(await findReleaseBefore(root)).toBe(first);
  const second = await commit('0.2.0');
  expect(await findReleaseBefore(root)).toBe(first);
  await commit('0.2.0', 'c');
  expect(await findReleaseBefore(root)).toBe(second);
});

test('a step is run with those it stands on, and one that stands alone without them', () => {
  const step = (name: string, isAlone = false) =>
    ({ name, about: name, run: async () => '', ...(isAlone ? { isAlone } : {}) }) as Step;
  const steps = [step('new'), step('buy'), step('refund'), step('upgrade', true)];
  const chosen = (...wanted: string[]) => chooseSteps(steps, wanted).map(({ name }) => name);
  expect(chosen()).toEqual(['new', 'buy', 'refund', 'upgrade']);
  expect(chosen('buy')).toEqual(['new', 'buy']);
  expect(chosen('upgrade')).toEqual(['upgrade']);
  expect(chosen('upgrade', 'new')).toEqual(['new', 'upgrade']);
});

test('what came of it is told: well, not run, or a fault with all that was printed', () => {
  const row = ' 40b  upgrade                4 x 10 s, 20 orders/s              ';
  const well =
    `      under the old servers: migrations 0002-storefront.sql, renewed place; 800 orders\n${row}ok  60.0 s\n0 ` +
    `lost, 0 doubled, invariants hold\n`;
  expect(tellUpgrade('v0.1.0', 0, well)).toBe(
    'from v0.1.0: under the old servers: migrations 0002-storefront.sql, renewed place; 800 orders; ' +
      '0 lost, 0 doubled, invariants hold',
  );
  const none = `${row}NOT RUN  0.0 s\n      /old has no web/dist.\n0 lost, 0 doubled, invariants hold, 1 not run\n`;
  expect(tellUpgrade('/old', 1, none)).toEqual({ notRun: '/old has no web/dist.' });
  expect(() => tellUpgrade('v0.1.0', 1, `${row}FAILED 9 s\n1 lost, 0 doubled\n`)).toThrow('1 lost');
});
