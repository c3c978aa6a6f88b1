import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { inspectConfig } from './config.ts';
import { compareVersions } from './database/schema/sql-files.ts';
import { DEPRECATED_KEYS, DEPRECATED_SETTINGS, renameSettings } from './deprecations.ts';
import { SETTINGS } from './settings/settings-table.ts';
import { readVersion } from './version.ts';

const ALL = [...DEPRECATED_SETTINGS, ...DEPRECATED_KEYS];
const nameOf = (one: (typeof ALL)[number]): string =>
  'name' in one ? one.name : `${one.file}: ${one.at.join('.').replaceAll('.*', '[]')}`;

/** A version must not be built while it still has these. */
const ended = (version: string) => ALL.filter(({ removedIn }) => compareVersions(removedIn, version) <= 0).map(nameOf);

test('nothing deprecated has reached the version that is without it', () => {
  expect(ended(readVersion())).toEqual([]);
  // As it will be, when somebody forgets one.
  expect(ended('99.0.0')).toHaveLength(ALL.length);
});

test('a deprecation lasts for one version with a number of its own, at least', () => {
  const short = ALL.filter(({ removedIn, since }) => {
    const [from, to] = [since, removedIn].map((version) => version.split('.').map(Number));
    return to?.[2] !== 0 || (to[0] === from?.[0] && (to[1] ?? 0) <= (from?.[1] ?? 0));
  });
  expect(short.map(nameOf)).toEqual([]);
});

test('docs/releases.md lists each with both versions', async () => {
  const page = await readFile(new URL('../../docs/releases.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| '));
  const missing = ALL.filter(
    (one) =>
      !rows.some((row) => row.includes(`\`${nameOf(one)}\``) && row.includes(`| ${one.since} | ${one.removedIn} |`)),
  );
  expect(missing.map(nameOf)).toEqual([]);
});

test('names of today are settings, names of before are none', () => {
  const known = new Set(Object.values(SETTINGS).map(({ name }) => name));
  expect(DEPRECATED_SETTINGS.filter(({ now }) => !known.has(now))).toEqual([]);
  expect(DEPRECATED_SETTINGS.filter(({ name }) => known.has(name))).toEqual([]);
});

test('a setting is read by its name of before, with a warning; its name of today wins', () => {
  const base = { REFILL_ENVIRONMENT: 'demo', DATABASE_URL: 'postgres://127.0.0.1/refill' };
  const old = inspectConfig({ ...base, REFILL_HEALTH_PORT: '9091' });
  expect(old.config.operatorPort).toBe(9091);
  expect(old.config.names).not.toContain('REFILL_HEALTH_PORT');
  expect(old.warnings).toEqual([
    {
      name: 'REFILL_HEALTH_PORT',
      reason: 'is deprecated since 0.2.0 and gone with 0.3.0',
      remedy: 'name it REFILL_OPERATOR_PORT',
    },
  ]);
  const both = inspectConfig({ ...base, REFILL_HEALTH_PORT: '9091', REFILL_OPERATOR_PORT: '9092' });
  expect(both.config.operatorPort).toBe(9092);
  expect(both.warnings).toHaveLength(1);
  expect(inspectConfig(base).warnings).toEqual([]);
});

test('a file that holds a value goes with it, unless the value of today is given in either way', () => {
  expect(renameSettings({ REFILL_HEALTH_TOKEN_FILE: '/run/token' }).variables).toEqual({
    REFILL_OPERATOR_TOKEN_FILE: '/run/token',
  });
  expect(renameSettings({ REFILL_HEALTH_TOKEN_FILE: '/run/token', REFILL_OPERATOR_TOKEN: 'today' }).variables).toEqual({
    REFILL_OPERATOR_TOKEN: 'today',
  });
});
