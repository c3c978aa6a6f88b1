// Writes a version that nothing speaks against: package.json, package-lock.json, CHANGELOG.md, the bill of
// materials and the files that name the newest version, one commit, one tag.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readVersion, readVersioned } from '#server/platform/database/schema/sql-files.ts';
import { writeVersion } from './changelog.ts';
import { git } from './git.ts';
import { makeBill } from './make-bill.ts';
import { writePlaces } from './version-places.ts';

type Lock = { version: string; packages: Record<string, { version: string }> };

/** For scanners of operators (SECURITY.md). */
const BILL = 'sbom.cdx.json';

/** @param root of a checkout without changes */
export async function makeRelease(root: string, version: string, now: Date): Promise<void> {
  const rewrite = async (file: string, change: (text: string) => string): Promise<void> => {
    const path = join(root, file);
    await writeFile(path, change(await readFile(path, 'utf8')));
  };
  const migration = (await readVersioned(root)).at(-1)?.name.replace(/\.sql$/, '') ?? '';
  const places = await writePlaces(root, await readVersion(root), version);
  // As text, so that nothing else of the file changes.
  await rewrite('package.json', (text) => text.replace(/^( {2}"version": )".*"/m, `$1"${version}"`));
  await rewrite('package-lock.json', (text) => {
    const lock = JSON.parse(text) as Lock;
    lock.version = version;
    if (lock.packages['']) lock.packages[''].version = version;
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  const date = now.toISOString().slice(0, 10);
  await rewrite('CHANGELOG.md', (text) => writeVersion(text, { version, date, migration }));
  await writeFile(join(root, BILL), await makeBill(root));
  await git(root, 'add', 'package.json', 'package-lock.json', 'CHANGELOG.md', BILL, ...places);
  await git(root, 'commit', '--quiet', '--message', `Release ${version}`);
  await git(root, 'tag', '--annotate', `v${version}`, '--message', `Refill ${version}`);
}
