// Nothing in the server redirects but by a path of ours.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('nothing else in the server redirects', () => {
  const root = join(import.meta.dirname, '..', '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const redirecting = sources.filter((file) =>
    /\.redirect\(|['"]location['"]\s*[,:]/i.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(redirecting.map((file) => file.replaceAll('\\', '/'))).toEqual(['platform/http/redirect.ts']);
});
