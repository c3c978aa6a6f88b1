import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '#scripts/release/git.ts';
import type { Step } from './run-steps.ts';
import { chooseSteps } from './steps.ts';
import { findReleaseBefore } from './upgrade.ts';

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
