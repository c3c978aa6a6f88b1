// Other releases than this checkout for a rehearsal: the same program, whose storefront is built into files of other names.
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { projectRoot } from '#scripts/run-tool.ts';
import { replaceAll } from './deploy-parts.ts';
import { runProgram } from './processes.ts';

/** Not of the checkout itself, or made by it. */
const NOT_COPIED = new Set(['node_modules', '.git', '.data', 'dist']);
const MARK = '-former-';

/** Builds the release before: no file of its storefront has the name of one of this checkout. @returns its folder */
export async function buildFormerRelease(folder: string): Promise<string> {
  const root = join(folder, 'former');
  await cp(projectRoot, root, {
    recursive: true,
    filter: (path) => path === projectRoot || !NOT_COPIED.has(basename(path)),
  });
  await symlink(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  const config = join(root, 'vite.config.ts');
  const text = replaceAll(await readFile(config, 'utf8'), [['-[hash:7]', `${MARK}[hash:7]`]]);
  await writeFile(config, text);
  const built = await runProgram([process.execPath, join(root, 'scripts/build.ts')], { NODE_ENV: 'production' });
  if (built.code !== 0) throw new Error(`the release before was not built: ${built.said.slice(-2000)}`);
  return root;
}

/** One more release, made of another one by naming its files anew; each refers to the others by their names. */
export async function copyRelease(former: string, folder: string): Promise<string> {
  const root = join(folder, 'next');
  await mkdir(root);
  for (const entry of await readdir(former))
    if (entry === 'node_modules') await symlink(join(projectRoot, entry), join(root, entry));
    else await cp(join(former, entry), join(root, entry), { recursive: true });
  const dist = join(root, 'web', 'dist');
  for (const entry of await readdir(dist, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile()) continue;
    // The copies of those bytes in compressed form; a server does without them.
    if (/\.(?:br|gz)$/.test(path)) await rm(path);
    else await rewrite(path);
  }
  return root;
}

async function rewrite(path: string): Promise<void> {
  const text = await readFile(path, 'utf8');
  if (text.includes(MARK)) await writeFile(path, text.replaceAll(MARK, '-coming-'));
  if (path.includes(MARK)) await rename(path, path.replace(MARK, '-coming-'));
}
