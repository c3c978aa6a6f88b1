// The page of all settings says what the code reads.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renameSettings } from '#server/platform/deprecations.ts';
import { checkNames } from '#server/serve/check-names.ts';
import { listKnownGames, listKnownOwners } from '#server/serve/known-settings.ts';
import { writeSettingsPage } from '#server/serve/settings-page.ts';
import { runCommand } from './test-run.ts';

const root = join(import.meta.dirname, '..');

test('docs/settings.md is what the command writes', async () => {
  const page = await readFile(join(root, 'docs', 'settings.md'), 'utf8');
  expect(page).toBe(writeSettingsPage());
  expect((await runCommand(['settings'], {})).out).toBe(page);
});

test('every variable on the page is taken, and every secret is marked as one', async () => {
  const page = writeSettingsPage();
  const names = [...page.matchAll(/^\| `(REFILL_\w+)` \|/gm)].map(([, name]) => name ?? '');
  expect(names.length).toBeGreaterThan(10);
  const today = Object.keys(renameSettings(Object.fromEntries(names.map((name) => [name, '']))).variables);
  expect(checkNames(today, [...listKnownOwners(), ...listKnownGames([])], true)).toEqual([]);
  const unmarked = listKnownOwners().flatMap(({ owner, settings }) =>
    settings
      .filter(({ isSecret, name }) => /SECRET|API_KEY|PEPPER|PRIVATE_KEY/.test(name) && !isSecret)
      .map(({ name }) => `${owner} ${name}`),
  );
  // Only says where the secret stands among what is hashed.
  expect(unmarked.filter((one) => !one.endsWith('SECRET_POSITION'))).toEqual([]);
});
