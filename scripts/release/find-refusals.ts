// Finds the reasons against making a version of a checkout, one sentence each with its remedy. Nothing is changed here.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  compareVersions,
  readRepeatable,
  readTwins,
  readVersion,
  readVersioned,
} from '#server/platform/database/schema/sql-files.ts';
import { SCHEMA_HEADER } from '#server/platform/database/schema/schema-dump.ts';
import { DEPRECATED_KEYS, DEPRECATED_SETTINGS } from '#server/platform/deprecations.ts';
import { countUntranslated, readUntranslated } from '#scripts/untranslated.ts';
import { type Changelog, hasOperatorPart, readChangelog } from './changelog.ts';
import { git } from './git.ts';
import { findStrays } from './version-places.ts';

type Tools = {
  /** Writes migrations/schema.sql and docs/admin-openapi.json anew. */
  readonly renewDumps: () => Promise<void>;
};

/** Written by `npm test` when everything passed on a clean tree (scripts/test.mjs). */
const PASSED = join('.data', 'test-results', 'passed.json');

export async function findRefusals(root: string, version: string, tools: Tools): Promise<string[]> {
  const now = await readVersion(root);
  const changelog = readChangelog(await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
  const migration = (await readVersioned(root)).at(-1)?.name.replace(/\.sql$/, '') ?? '';
  const changed = await git(root, 'status', '--porcelain');
  const found = [
    ...refuseNumber(now, version, migration, changelog),
    ...((await git(root, 'tag', '--list', `v${version}`)) ? [`there is a tag v${version} already`] : []),
    ...(changed ? [`files differ from the last commit: ${changed.split('\n').join(', ')}; commit them`] : []),
    ...(await refuseUntested(root)),
    ...(await findStrays(root, now)),
    ...refuseChangelog(changelog),
    ...(await refuseTexts(root)),
    ...(await refuseEnded(root, version)),
    ...(await refuseStoredDump(root, migration)),
  ];
  // Renewing takes a database and writes into the tree: only when nothing of somebody's can be in its way.
  return found.length > 0 ? found : refuseStale(root, tools);
}

function refuseNumber(now: string, version: string, migration: string, { released }: Changelog): string[] {
  const [major = 0, minor = 0, patch = 0] = now.split('.').map(Number);
  const [nextPatch, nextMinor, nextMajor] = [
    `${major}.${minor}.${patch + 1}`,
    `${major}.${minor + 1}.0`,
    `${major + 1}.0.0`,
  ];
  if (![nextPatch, nextMinor, nextMajor].includes(version))
    return [`${version} does not follow on ${now}: it is ${nextPatch}, ${nextMinor} or ${nextMajor}`];
  return version === nextPatch && released[0]?.migration !== migration
    ? [`a patch brings no migration, and ${migration} is newer than ${now}: make it ${nextMinor}`]
    : [];
}

async function refuseUntested(root: string): Promise<string[]> {
  const commit = await git(root, 'rev-parse', 'HEAD');
  const passed = await readFile(join(root, PASSED), 'utf8').catch(() => '{}');
  return (JSON.parse(passed) as { commit?: string }).commit === commit
    ? []
    : [`\`npm test\` has not passed on ${commit.slice(0, 12)} as it is committed; run it`];
}

function refuseChangelog({ unreleased }: Changelog): string[] {
  return [
    ...(/^- /m.test(unreleased.split(/^###/m)[0] ?? '') ? [] : ['CHANGELOG.md tells nothing under "Unreleased"']),
    ...(hasOperatorPart(unreleased)
      ? []
      : ['CHANGELOG.md has no "### What an operator must do" under "Unreleased"; write "nothing" where it is nothing']),
  ];
}

async function refuseTexts(root: string): Promise<string[]> {
  const count = countUntranslated(await readUntranslated(join(root, 'messages')));
  return count ? [count] : [];
}

async function refuseEnded(root: string, version: string): Promise<string[]> {
  const isOver = (end: string) => compareVersions(end, version) <= 0;
  const twins = (await readRepeatable(root)).filter(({ sql }) => readTwins(sql).some((end) => end && isOver(end)));
  const names = [
    ...DEPRECATED_SETTINGS.filter(({ removedIn }) => isOver(removedIn)).map(({ name }) => name),
    ...DEPRECATED_KEYS.filter(({ removedIn }) => isOver(removedIn)).map(({ at, file }) => `${file}: ${at.join('.')}`),
  ];
  return [
    ...names.map((name) => `${name} goes with ${version}; take it out of server/platform/deprecations.ts`),
    ...twins.map(({ path }) => `${path} has a twin that goes with ${version}; drop it in a migration`),
  ];
}

async function refuseStoredDump(root: string, migration: string): Promise<string[]> {
  const file = `testing/dumps/${migration}.sql.gz`;
  const remedy = 'run `npm run dump -- filled` and commit it';
  const stored = await readFile(join(root, file)).catch(() => null);
  if (!stored) return [`the database of this version is not stored in ${file}; ${remedy}`];
  const schema = await readFile(join(root, 'migrations', 'schema.sql'), 'utf8');
  return gunzipSync(stored).toString('utf8').includes(schema.slice(SCHEMA_HEADER.length))
    ? []
    : [`${file} has another schema than migrations/schema.sql; ${remedy}`];
}

async function refuseStale(root: string, { renewDumps }: Tools): Promise<string[]> {
  await renewDumps();
  const stale = await git(root, 'diff', '--name-only');
  if (stale === '') return [];
  const files = stale.split('\n');
  await git(root, 'checkout', '--quiet', '--', ...files);
  return files.map((file) => `${file} is not what this commit makes; run \`npm run dump -- schema admin-api\``);
}
