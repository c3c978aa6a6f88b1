// Every provider has a page for operators that names sign-up, each of its settings, the callback, the check, a
// test purchase and known limits.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shopProviders } from './shop-payments.ts';

const folder = join(import.meta.dirname, '../../docs/providers');
const SECTIONS = [
  'What to sign up for',
  'Settings',
  'Callback',
  'Is it set up right?',
  'A test purchase',
  'Known limits',
];

test.each(shopProviders.map((provider) => [provider.name, provider] as const))('%s', (name, provider) => {
  const path = join(folder, `${name}.md`);
  expect(existsSync(path), `docs/providers/${name}.md`).toBe(true);
  const page = readFileSync(path, 'utf8');
  const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(expect.arrayContaining(SECTIONS));
  expect(page).toContain(`REFILL_ENVIRONMENT=demo npm run refill -- provider check ${name}\n`);
  const settings = provider.settings.map((setting) => setting.name);
  expect(
    settings.filter((setting) => !new RegExp(`[_\`]${setting}\\b`).test(page)),
    'settings left out',
  ).toEqual([]);
});
