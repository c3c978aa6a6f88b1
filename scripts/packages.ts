// npm run check -- packages: what a program imports is in the set of packages that is installed where it runs, and
// each package is in the smallest set that needs it.
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { LOADED_LATER, PROGRAMS, USED_BY_NAME } from './package-sets.mjs';
import { projectRoot } from './run-tool.ts';

export type Manifest = Readonly<
  Record<'dependencies' | 'peerDependencies' | 'devDependencies', Readonly<Record<string, string>>>
>;
type Walked = {
  /** Each package, with one file that imports it. */
  readonly packages: ReadonlyMap<string, string>;
  readonly specifiers: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly later: readonly string[];
  readonly faults: readonly string[];
};
/** @returns null where there is no such file */
type Read = (file: string) => string | null;

/** Imports that are there when it runs: `import type` is gone by then. */
const IMPORT =
  /^(?:import|export)\s+(?!type\s)[^'"`;]*?from\s+'(?<named>[^']+)'|^import\s+'(?<bare>[^']+)'|^(?!\s*[*/]).*?(?<!typeof )\bimport\(\s*'(?<later>[^']+)'\)/gm;

/**
 * @param read a file by its path in the project
 * @returns one sentence for each breach
 */
export function findBreaches(manifest: Manifest, read: Read): string[] {
  const server = walkServer(read);
  const demonstration = walk([...PROGRAMS.demonstration, ...server.later], read, () => false);
  const { dependencies, peerDependencies, devDependencies } = manifest;
  const unused = (name: string, packages: ReadonlyMap<string, string>) =>
    !packages.has(name) && !isUsedByName(name, read);
  return [
    ...server.faults,
    ...demonstration.faults,
    ...[...server.packages]
      .filter(([name]) => !(name in dependencies))
      .map(([name, file]) => `${file} runs in a server and imports ${name}, which is not in "dependencies"`),
    ...[...demonstration.packages]
      .filter(([name]) => !(name in dependencies) && !(name in peerDependencies))
      .map(
        ([name, file]) =>
          `${file} runs in npm start or builds, and imports ${name}, which is neither in "dependencies" nor in ` +
          '"peerDependencies"',
      ),
    ...Object.keys(dependencies)
      .filter((name) => unused(name, server.packages))
      .map((name) => `no program of a server imports ${name}: move it out of "dependencies"`),
    ...Object.keys(peerDependencies)
      .filter((name) => unused(name, demonstration.packages))
      .map((name) => `neither npm start nor the build imports ${name}: move it out of "peerDependencies"`),
    ...Object.keys({ ...peerDependencies, ...dependencies })
      .filter((name) => [dependencies, peerDependencies, devDependencies].filter((set) => name in set).length > 1)
      .map(
        (name) => `${name} is in two sets of package.json; keep the one of "dependencies", else of "peerDependencies"`,
      ),
  ];
}

const walkServer = (read: Read): Walked =>
  walk(PROGRAMS.server, read, (file) => LOADED_LATER.some((part) => file.startsWith(part)));

/** Every file of the project that a server may load, and every path in a package. */
export function listServerImports(): { files: string[]; packages: string[] } {
  const { files, specifiers } = walkServer(readFromProject);
  return { files: [...files], packages: [...specifiers] };
}

const readFromProject: Read = (file) => {
  const path = join(projectRoot, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
};

/**
 * Follows the imports of files.
 * @param isLater parts that are not followed: only `import()` may name them
 */
function walk(entries: readonly string[], read: Read, isLater: (file: string) => boolean): Walked {
  const packages = new Map<string, string>();
  const specifiers = new Set<string>();
  const files = new Set(entries);
  const later: string[] = [];
  const faults: string[] = [];
  for (const file of files) {
    const text = read(file);
    if (text === null) {
      faults.push(`${file} is not there: scripts/package-sets.mjs or an import names it`);
      continue;
    }
    for (const { groups = {} } of text.matchAll(IMPORT)) {
      const wanted = groups['named'] ?? groups['bare'] ?? groups['later'] ?? '';
      const found = locate(file, wanted);
      if (found === null) {
        if (isBuiltin(wanted) || wanted.startsWith('#generated/')) continue;
        specifiers.add(wanted);
        if (!packages.has(nameOf(wanted))) packages.set(nameOf(wanted), file);
      } else if (!isLater(found)) {
        if (/\.(?:tsx?|mjs)$/.test(found)) files.add(found);
      } else if (groups['later'] === undefined) {
        faults.push(`${file} runs in a server and imports ${found}, which only import() may name: the demonstration's`);
      } else later.push(found);
    }
  }
  return { packages, specifiers, files, later, faults };
}

/** @returns null for a package */
function locate(from: string, wanted: string): string | null {
  if (wanted.startsWith('#') && !wanted.startsWith('#generated/')) return wanted.slice(1);
  return wanted.startsWith('.') ? posix.join(posix.dirname(from), wanted) : null;
}

/** "@scope/name" or "name", of a path inside as well. */
const nameOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function isUsedByName(name: string, read: Read): boolean {
  const file = USED_BY_NAME[name];
  return file !== undefined && read(file)?.includes(`'${name}'`) === true;
}

if (import.meta.main) {
  const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as Manifest;
  const breaches = findBreaches(manifest, readFromProject);
  if (breaches.length > 0) {
    console.error(breaches.join('\n'));
    process.exitCode = 1;
  }
}
