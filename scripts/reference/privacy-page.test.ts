// docs/privacy.md is what the program goes by.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BRAND_RETENTION } from '#contracts/retention.ts';
import { PERSONAL_DATA } from '#server/modules/privacy/personal-data.ts';
import { writePrivacyPage } from './privacy-page.ts';

test('the page is the one that `npm run dump -- privacy` writes', async () => {
  expect(await readFile(join(import.meta.dirname, '..', '..', 'docs', 'privacy.md'), 'utf8')).toBe(writePrivacyPage());
});

test('it tells every table and every span that a brand may set', () => {
  const page = writePrivacyPage();
  for (const table of Object.keys(PERSONAL_DATA)) expect(page).toContain(`\n### ${table}\n`);
  for (const name of BRAND_RETENTION) expect(page).toContain(`| \`${name}\` |`);
});
