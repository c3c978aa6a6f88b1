// Planted breaches of the sets of packages; the project itself is looked at by `npm run check`.
import { expect, test } from 'vitest';
import { PROGRAMS, USED_BY_NAME } from './package-sets.mjs';
import { findBreaches, type Manifest } from './packages.ts';

const PACKAGES: Manifest = {
  dependencies: { fastify: '1', node: '1' },
  peerDependencies: { '@base-ui/react': '1', terser: '1', vite: '1' },
  devDependencies: { vitest: '1' },
};
const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...PROGRAMS.server, ...PROGRAMS.demonstration].map((file) => [file, ''])),
  ...Object.fromEntries(Object.entries(USED_BY_NAME).map(([name, file]) => [file, `'${name}'`])),
  'cli/main.ts': "import { serve } from '#server/serve.ts';\nimport { join } from 'node:path';",
  'server/serve.ts': "import Fastify from 'fastify';\nimport type { Test } from 'vitest';",
  'web/main.tsx': "import { Sheet } from './Sheet.tsx';",
  'web/Sheet.tsx': "import {\n  Dialog,\n} from '@base-ui/react/dialog';",
  'scripts/build.ts': "  const { build } = await import('vite');",
  'simulators/one-payment.ts': '',
};

const findIn = (files: Readonly<Record<string, string>>, manifest: Partial<Manifest> = {}): string[] =>
  findBreaches({ ...PACKAGES, ...manifest }, (file) => ({ ...FILES, ...files })[file] ?? null);

test('finds nothing where each program imports what it has', () => {
  expect(findIn({})).toEqual([]);
});

test.each<[what: string, files: Record<string, string>, manifest: Partial<Manifest>, breach: RegExp]>([
  [
    'a server that imports a package of the demonstration',
    { 'server/serve.ts': "import Fastify from 'fastify';\nexport { Dialog } from '@base-ui/react/dialog';" },
    {},
    /^server\/serve\.ts runs in a server and imports @base-ui\/react, which is not in "dependencies"$/,
  ],
  [
    'a server that loads such a package later',
    { 'server/serve.ts': "import Fastify from 'fastify';\nconst { build } = await import('vite');" },
    {},
    /^server\/serve\.ts runs in a server and imports vite/,
  ],
  [
    'a server that imports a simulator before it is asked for one',
    { 'server/serve.ts': "import Fastify from 'fastify';\nimport { one } from '#simulators/one-payment.ts';" },
    {},
    /^server\/serve\.ts runs in a server and imports simulators\/one-payment\.ts, which only import\(\) may name/,
  ],
  [
    'a simulator that imports a package of tests',
    {
      'server/serve.ts': "import Fastify from 'fastify';\nconst it = await import('#simulators/one-payment.ts');",
      'simulators/one-payment.ts': "import { vi } from 'vitest';",
    },
    {},
    /^simulators\/one-payment\.ts runs in npm start or builds, and imports vitest, which is neither in/,
  ],
  [
    'a page that imports a package of tests',
    { 'web/main.tsx': "import './Sheet.tsx';\nimport 'vitest';" },
    {},
    /^web\/main\.tsx runs in npm start or builds, and imports vitest/,
  ],
  [
    'a package of a server that no server imports',
    {},
    { dependencies: { ...PACKAGES.dependencies, selfsigned: '1' } },
    /^no program of a server imports selfsigned: move it out of "dependencies"$/,
  ],
  [
    'a package that is used by its name alone, and is not',
    { 'vite.config.ts': "minify: 'oxc'" },
    {},
    /^neither npm start nor the build imports terser: move it out of "peerDependencies"$/,
  ],
  [
    'a package in two sets',
    {},
    { devDependencies: { vite: '1' } },
    /^vite is in two sets of package\.json; keep the one of "dependencies", else of "peerDependencies"$/,
  ],
  [
    'an import that leads nowhere',
    { 'cli/main.ts': "import { serve } from '#server/serve.ts';\nimport { gone } from './gone.ts';" },
    {},
    /^cli\/gone\.ts is not there/,
  ],
])('finds %s', (_, files, manifest, breach) => {
  expect(findIn(files, manifest)).toEqual([expect.stringMatching(breach)]);
});
