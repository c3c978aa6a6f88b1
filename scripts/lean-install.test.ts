// `npm ci --omit=dev` is all that a server, `npm start` with its simulators, the builds and the command need.
import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from './run-tool.ts';

/** @source scripts/run-file.mjs (LEAN) and scripts/start.mjs; what these start or build in turn */
const STARTED = [
  'cli/main.ts',
  'scripts/build.ts',
  'scripts/start.ts',
  'server/main.ts',
  'simulators/main.ts',
  'vite.config.ts',
  'web/main.tsx',
];

/** Imports that are there when it runs: `import type` is gone by then. */
const IMPORT =
  /^(?:import|export)\s+(?!type\s)[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|^(?!\s*[*/]).*?\bimport\('([^']+)'\)/gm;

/** Every package that is imported on the way from these files, with one that imports it. */
function findPackages(entries: readonly string[]): Map<string, string> {
  const { resolve } = createRequire(join(projectRoot, 'package.json'));
  const packages = new Map<string, string>();
  const waiting = entries.map((entry) => join(projectRoot, entry));
  const seen = new Set(waiting);
  for (const file of waiting) {
    for (const [, named, bare, later] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      const wanted = named ?? bare ?? later ?? '';
      if (isBuiltin(wanted) || wanted.startsWith('#generated/')) continue;
      if (!/^[.#]/.test(wanted)) packages.set(nameOf(wanted), relative(projectRoot, file));
      else if (/\.(?:ts|tsx|mjs)$/.test(wanted)) {
        const found = wanted.startsWith('#') ? resolve(wanted) : join(dirname(file), wanted);
        if (!seen.has(found)) waiting.push(found);
        seen.add(found);
      }
    }
  }
  return packages;
}

/** "@scope/name" or "name", of a path inside as well. */
const nameOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

test('nothing that runs from a lean install imports a development package', () => {
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const packages = findPackages(STARTED);
  // Else the search found nothing, and this passes. The simulators sign as PayPal does.
  expect([...packages.keys()]).toEqual(expect.arrayContaining(['fastify', 'react', 'selfsigned', 'vite']));
  expect([...packages].filter(([name]) => !(name in dependencies))).toEqual([]);
});
