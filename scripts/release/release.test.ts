// A version is made in a scratch repository: what is refused, and what is written.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { SCHEMA_HEADER } from '#server/platform/database/schema/schema-dump.ts';
import { readVersion } from '#server/platform/database/schema/sql-files.ts';
import { projectRoot } from '#scripts/run-tool.ts';
import { hasOperatorPart, readChangelog } from './changelog.ts';
import { findRefusals } from './find-refusals.ts';
import { git } from './git.ts';
import { makeRelease } from './make-release.ts';
import { findStrays } from './version-places.ts';

const SCHEMA = 'create table orders (id text);\n';
const CHANGELOG = `# Changelog

## Unreleased

- Orders have a colour.

### What an operator must do

- Nothing.

## 0.1.0 - 2026-11-22

- Orders.

Database: \`0001-baseline\`

### What an operator must do

- Nothing.
`;
const FILES = {
  'package.json': '{\n  "name": "refill",\n  "version": "0.1.0",\n  "list": [1, 2]\n}\n',
  'package-lock.json':
    '{\n  "name": "refill",\n  "version": "0.1.0",\n  "lockfileVersion": 3,\n  "packages": { "": { "version": "0.1.0" } }\n}\n',
  'CHANGELOG.md': CHANGELOG,
  '.gitignore': '.data\n',
  'messages/en.json': '{ "a": "A" }',
  'migrations/0001-baseline.sql': SCHEMA,
  'migrations/0002-colour.sql': 'alter table orders add column colour text;\n',
  'migrations/schema.sql': SCHEMA_HEADER + SCHEMA,
  'docs/admin-openapi.json': '{}\n',
  'deploy/kubernetes/kustomization.yaml': 'images:\n  - { name: refill, newTag: 0.1.0 }\n',
  'server/modules/orders/sql/name_order.sql': 'create or replace function name_order() returns text\n',
};
const STORED = 'testing/dumps/0002-colour.sql.gz';

/** Ready to be made 0.2.0; each test has a copy. */
let template: string;
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'refill-release-'));
  const { commit, storeDump, write } = actsIn(template);
  await git(template, 'init', '--quiet');
  await git(template, 'config', 'user.name', 'anna');
  await git(template, 'config', 'user.email', 'anna@example.com');
  for (const [file, text] of Object.entries(FILES)) await write(file, text);
  await storeDump(SCHEMA);
  await commit();
});
afterAll(() => rm(template, { recursive: true, force: true }));

async function makeRepository() {
  const root = await mkdtemp(join(tmpdir(), 'refill-release-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await cp(template, root, { recursive: true });
  const refuse = (version = '0.2.0', renewDumps = async () => {}) => findRefusals(root, version, { renewDumps });
  return { root, refuse, ...actsIn(root) };
}

function actsIn(root: string) {
  const write = async (file: string, text: string | Buffer) => {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  };
  const storeDump = (schema: string) => write(STORED, gzipSync(`-- {}\n${schema}\n`));
  const commit = async () => {
    await git(root, 'add', '--all');
    await git(root, 'commit', '--quiet', '--allow-empty', '--message', 'Work');
    await notePassed();
  };
  const notePassed = async () =>
    write('.data/test-results/passed.json', JSON.stringify({ commit: await git(root, 'rev-parse', 'HEAD') }));
  return { write, storeDump, commit };
}

type Repository = Awaited<ReturnType<typeof makeRepository>>;

test('what is ready is written, committed and tagged, and the next version begins empty', async () => {
  const { refuse, root } = await makeRepository();
  expect(await refuse()).toEqual([]);
  await makeRelease(root, '0.2.0', new Date('2026-12-01T10:00:00Z'));
  expect(await git(root, 'status', '--porcelain')).toBe('');
  expect(await git(root, 'log', '-1', '--format=%s')).toBe('Release 0.2.0');
  expect(await git(root, 'rev-parse', 'v0.2.0^{commit}')).toBe(await git(root, 'rev-parse', 'HEAD'));
  expect(await readFile(join(root, 'package.json'), 'utf8')).toBe(FILES['package.json'].replace('0.1.0', '0.2.0'));
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Record<string, unknown>;
  expect(lock).toMatchObject({ version: '0.2.0', packages: { '': { version: '0.2.0' } } });
  const image = 'deploy/kubernetes/kustomization.yaml';
  expect(await readFile(join(root, image), 'utf8')).toBe(FILES[image].replace('0.1.0', '0.2.0'));
  const bill = JSON.parse(await readFile(join(root, 'sbom.cdx.json'), 'utf8')) as { metadata: object };
  expect(bill.metadata).toMatchObject({ component: { name: 'refill', version: '0.2.0' } });
  const text = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const { released, unreleased } = readChangelog(text);
  expect(unreleased).toBe('');
  expect(released).toEqual([
    { version: '0.2.0', date: '2026-12-01', migration: '0002-colour', hasOperatorPart: true },
    { version: '0.1.0', date: '2026-11-22', migration: '0001-baseline', hasOperatorPart: true },
  ]);
  expect(text).toContain(
    '- Orders have a colour.\n\nDatabase: `0002-colour`\n\n### What an operator must do\n\n- Nothing.\n',
  );
  expect(text).toContain('## 0.1.0 - 2026-11-22\n\n- Orders.\n');
});

const refused: [what: string, change: (repository: Repository) => Promise<unknown>, refusal: RegExp][] = [
  [
    'a tree that is not clean',
    ({ write }) => write('new.ts', ''),
    /^files differ from the last commit: \?\? new\.ts; /,
  ],
  [
    'a commit that was not tested',
    ({ root }) => git(root, 'commit', '-qm', 'More', '--allow-empty'),
    /has not passed on/,
  ],
  ['a tag that is taken', ({ root }) => git(root, 'tag', 'v0.2.0'), /^there is a tag v0\.2\.0/],
  [
    'a changelog that tells nothing',
    ({ write }) => write('CHANGELOG.md', CHANGELOG.replace('- Orders have a colour.\n', '')),
    /tells nothing under "Unreleased"/,
  ],
  [
    'nothing said to operators',
    ({ write }) => write('CHANGELOG.md', CHANGELOG.replace(/### What[^#]*- Nothing\.\n/, '')),
    /has no "### What an operator must do"/,
  ],
  [
    'texts without a translation',
    ({ write }) => write('messages/untranslated.json', '{ "a": ["de", "ja"] }'),
    /^1 text is not translated yet \(2 translations/,
  ],
  [
    'a twin that ends',
    ({ write }) =>
      write(
        'server/modules/orders/sql/name_order.sql',
        'create or replace function name_order() returns text\n-- until 0.2: servers of 0.1\ncreate or replace ' +
          'function name_order(p text) returns text\n',
      ),
    /name_order\.sql has a twin that goes with 0\.2\.0/,
  ],
  [
    'a file that names another version',
    ({ write }) => write('deploy/kubernetes/kustomization.yaml', 'newTag: 0.1.01\nnewTag: 0.1.0\n'),
    /^deploy\/kubernetes\/kustomization\.yaml does not name 0\.1\.0 after "newTag:"/,
  ],
  ['no stored database', ({ root }) => rm(join(root, STORED)), /is not stored in testing\/dumps\/0002-colour\.sql\.gz/],
  ['a stored database of before', ({ storeDump }) => storeDump('create table old ();\n'), /has another schema than/],
];

test.each(refused)('refuses %s, and only that', async (what, change, refusal) => {
  const repository = await makeRepository();
  await change(repository);
  // These are about what is committed.
  if (!/tree|tested|tag/.test(what)) await repository.commit();
  expect(await repository.refuse()).toEqual([expect.stringMatching(refusal)]);
});

test('refuses dumps that the commit does not make, and leaves the tree as it was', async () => {
  const { refuse, root, write } = await makeRepository();
  expect(await refuse('0.2.0', () => write('docs/admin-openapi.json', '{ "new": true }\n'))).toEqual([
    expect.stringMatching(/^docs\/admin-openapi\.json is not what this commit makes/),
  ]);
  expect(await git(root, 'status', '--porcelain')).toBe('');
});

test.each([
  ['0.1.0', /does not follow on 0\.1\.0: it is 0\.1\.1, 0\.2\.0 or 1\.0\.0/],
  ['0.3.0', /does not follow/],
  ['two', /does not follow/],
  ['0.1.1', /^a patch brings no migration, and 0002-colour is newer than 0\.1\.0: make it 0\.2\.0/],
])('refuses the number %s', async (version, refusal) => {
  expect((await (await makeRepository()).refuse(version))[0]).toMatch(refusal);
});

test('refuses a version that ends something which is still read', async () => {
  const { refuse } = await makeRepository();
  expect(await refuse('1.0.0')).toContainEqual(
    expect.stringMatching(/^REFILL_HEALTH_PORT goes with 1\.0\.0; take it out/),
  );
});

test('the changelog of this project is readable, newest first, and tells operators of each version', async () => {
  const { released } = readChangelog(await readFile(new URL('../../CHANGELOG.md', import.meta.url), 'utf8'));
  expect(released.filter(({ hasOperatorPart: has }) => !has)).toEqual([]);
  const dates = released.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted().toReversed());
  expect(hasOperatorPart('- A change.\n\n### What an operator must do\n\n### More\n')).toBe(false);
  expect(() => readChangelog('## Soon\n')).toThrow('"## Soon" is neither');
});

test('what is copied from this checkout names its version', async () => {
  expect(await findStrays(projectRoot, await readVersion(projectRoot))).toEqual([]);
});
