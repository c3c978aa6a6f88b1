// The inventory of algorithms in docs/security.md is whole: a file that uses a weak or another one is named here first.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
/** Asked for by a company's own protocol, and by nothing else. */
const WEAK = [
  'server/providers/identity/twitter/signature.ts: sha1',
  'server/providers/payments/codapay/notice.ts: md5',
  'server/providers/payments/pingpong/signature.ts: md5',
  'server/providers/payments/razer/signature.ts: md5',
  'server/providers/payments/signed-redirect/signature.ts: md5',
  'server/providers/payments/xsolla/webhook.ts: sha1',
];
const KNOWN = new Set(['sha256', 'md5', 'sha1', 'aes-256-gcm', 'RSA-SHA256', 'RSA-SHA1']);

test('every algorithm of the source is in the inventory, and the weak ones only where a company signs so', async () => {
  const weak = new Set<string>();
  const unknown: string[] = [];
  for (const room of ['server', 'kernel', 'contracts', 'cli']) {
    const entries = await readdir(join(root, room), { recursive: true, withFileTypes: true });
    const sources = entries.filter(({ name }) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
    for (const { name, parentPath } of sources) {
      const path = join(parentPath, name);
      const text = await readFile(path, 'utf8');
      for (const [, given = ''] of text.matchAll(
        /\b(?:createHash|createHmac|createSign|createVerify|createCipheriv|createDecipheriv|hash)\(\s*([^,)]*)/g,
      ))
        for (const [, algorithm = ''] of given.matchAll(/'([A-Za-z][\w-]+)'/g)) {
          if (algorithm === 'MD5') continue;
          if (!KNOWN.has(algorithm)) unknown.push(`${relative(root, path)}: ${algorithm}`);
          if (/^(?:md5|sha1|RSA-SHA1)$/.test(algorithm)) weak.add(`${relative(root, path)}: ${algorithm}`);
        }
    }
  }
  expect(unknown).toEqual([]);
  expect([...weak].toSorted()).toEqual(WEAK);
});
