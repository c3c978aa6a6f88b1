// `refill new <folder>`: a publisher's own repository, with one brand, one game and everything around them.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { makeFolders } from '#server/platform/make-folders.ts';
import { toVariablePart } from '#server/platform/settings/scoped-settings.ts';
import { readDeployment } from './new-deployment.ts';
import { InputFault, type Terminal } from './terminal.ts';
import { writeTo } from './written-file.ts';

const project = resolve(import.meta.dirname, '..');
const templates = join(import.meta.dirname, 'templates', 'shop');

/** Files whose names a package or git would take for its own if they stood here as they are. */
const RENAMED: Readonly<Record<string, string>> = {
  gitignore: '.gitignore',
  'env.example': '.env.example',
  dockerignore: '.dockerignore',
};
const DRAWING = /\.svg$/;

type Options = { readonly name?: string; readonly brand?: string; readonly game: string };

export function addNewCommand(program: Command, terminal: Terminal): void {
  program
    .command('new <folder>')
    .description(
      'write the repository of a shop of your own: brand, game, channels, game server, settings, deployment, CI',
    )
    .option('--name <name>', "the brand's name as players read it; made of its key unless given")
    .option('--brand <key>', "the brand's key: small letters, digits, dashes; the folder's name unless given")
    .option('--game <id>', "the first game's id: small letters, digits, dashes", 'my-game')
    .action(async (folder: string, options: Options) => {
      const root = resolve(folder);
      const shop = nameShop(root, options);
      await demandEmpty(root, folder);
      const files = await writeTo('The folder', folder, () => writeShop(root, shop));
      const isRepository = makeRepository(root);
      terminal.out(
        [
          `${files} files in ${root}: brand ${shop.brand}, game ${shop.game}.`,
          '',
          `  cd ${folder}`,
          ...(isRepository ? [] : ['  git init']),
          '  git add -A && git commit -m "Begin the shop"',
          '  npm install',
          '  npm start',
          '',
          'README.md there leads from here to the first order.',
        ].join('\n'),
      );
    });
}

/**
 * A change of the shop is looked at with `git diff` (docs/prices.md). A folder of a repository that is there stays its
 * part.
 * @returns false where git is not installed, or cannot
 */
function makeRepository(root: string): boolean {
  const { GIT_DIR: _, GIT_WORK_TREE: __, ...env } = process.env;
  const git = (...args: string[]): boolean => spawnSync('git', args, { cwd: root, env, stdio: 'ignore' }).status === 0;
  return git('rev-parse', '--is-inside-work-tree') || git('init', '--quiet');
}

type Shop = { readonly name: string; readonly brand: string; readonly game: string };

/** @throws InputFault with one sentence for a name that cannot be used */
function nameShop(root: string, options: Options): Shop {
  const brand = options.brand ?? toKey(basename(root));
  const from = options.brand === undefined ? `the folder's name gives "${brand}"` : `--brand "${brand}"`;
  if (!isKey(brand))
    throw new InputFault(
      `${from}: a brand's key is 2 to 30 small letters, digits and dashes, beginning with a letter; give --brand.`,
    );
  if (brand.includes('demo'))
    throw new InputFault(
      `${from}: hosts with "demo" in them are try-outs alone, so a brand's key must not contain it; give ` +
        'another --brand.',
    );
  const { game } = options;
  if (!isKey(game))
    throw new InputFault(
      `--game "${game}": a game's id is 2 to 30 small letters, digits and dashes, beginning with a letter.`,
    );
  const name = options.name ?? toTitle(brand);
  // It is written into YAML, JSON and Markdown between quotes, and shown in a title.
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,&!+-]{0,39}$/u.test(name))
    throw new InputFault(
      `--name "${name}": at most 40 letters, digits, spaces and . , & ! + -, beginning with a letter or digit.`,
    );
  return { name, brand, game };
}

const isKey = (text: string): boolean => /^[a-z][a-z0-9-]{0,28}[a-z0-9]$/.test(text);

const toKey = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');

const toTitle = (key: string): string =>
  key
    .split('-')
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

async function demandEmpty(root: string, folder: string): Promise<void> {
  const inside = relative(project, root);
  if (inside === '' || (!inside.startsWith('..') && !inside.startsWith(sep)))
    throw new InputFault(`${folder} lies inside Refill itself: name a folder beside it, e.g. ../my-shop.`);
  const found = await readdir(root).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new InputFault(
      error.code === 'ENOTDIR' ? `${folder} is a file: name a folder.` : `${folder} cannot be read (${error.code}).`,
    );
  });
  // A fresh clone of an empty repository holds nothing but git's own folder.
  const strange = found.find((name) => name !== '.git');
  if (strange !== undefined)
    throw new InputFault(`${folder} is not empty (${strange}): name a new folder. Nothing was written.`);
}

/** @returns how many files */
async function writeShop(root: string, shop: Shop): Promise<number> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const refill = relative(root, project).replaceAll(sep, '/');
  const words = wordsOf(shop, refill);
  const entries = await readdir(templates, { recursive: true, withFileTypes: true });
  const sources = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const source of sources) {
    const path = targetOf(relative(templates, source), words);
    const text = await readFile(source, 'utf8');
    await put(root, path, DRAWING.test(path) ? text : fill(text, words));
  }
  const deployment = await readDeployment({
    name: shop.name,
    brand: shop.brand,
    GAME: toVariablePart(shop.game),
    refill,
  });
  for (const [path, text] of deployment) await put(root, path, text);
  // A shop and its game share a secret; it is made here, so that nobody ever runs on a published one.
  await put(root, 'game-server/secret', `${secret}\n`, 0o600);
  const example = await readFile(join(root, '.env.example'), 'utf8');
  const filled = example
    .replace('_DEMO_SECRETS=', `_DEMO_SECRETS=${secret}`)
    .replace(
      /^.*copy to \.env.*$/m,
      '# Settings of this shop; git ignores this file. What stands in the environment wins over it.',
    );
  await put(root, '.env', filled, 0o600);
  return sources.length + deployment.size + 2;
}

async function put(root: string, path: string, text: string, mode?: number): Promise<void> {
  const target = join(root, path);
  await makeFolders(dirname(target));
  await writeFile(target, text);
  if (mode !== undefined) await chmod(target, mode);
}

function targetOf(path: string, words: Readonly<Record<string, string>>): string {
  const plain = fill(path.replace(/\.template$/, ''), words);
  return RENAMED[plain] ?? plain;
}

function wordsOf({ name, brand, game }: Shop, refill: string): Record<string, string> {
  const code = game.replaceAll('-', '').slice(0, 24);
  return {
    name,
    brand,
    game,
    code,
    refill,
    'game-title': toTitle(game),
    GAME: toVariablePart(game),
    // Any digits will do, as long as no other game of this shop has them.
    gpId: '1000',
    clientId: '10001',
  };
}

function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text.replaceAll(/@([A-Za-z-]+)@/g, (all, word: string) => words[word] ?? all);
}
