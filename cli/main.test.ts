// The command as an operator runs it: a process of its own, its exit code and what it prints.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#testing/database.ts';

const project = join(import.meta.dirname, '..');
let database: TestDatabase;
let root: string;

beforeAll(async () => {
  database = await createTestDatabase();
  root = await mkdtemp(join(tmpdir(), 'refill-cli-'));
  await cp(join(project, 'testing', 'fixtures', 'configuration'), root, { recursive: true });
});

afterAll(async () => {
  await rm(root, { recursive: true });
  await database.drop();
});

type Run = { code: number; out: string; err: string };

function refill(
  args: string[],
  url = database.url,
  environment: Record<string, string> = { REFILL_ENVIRONMENT: 'demo' },
): Promise<Run> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(project, 'cli', 'main.ts'), ...args],
      { env: { ...process.env, DATABASE_URL: url, ...environment } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });
}

test('plans, applies, and then has nothing to do', async () => {
  const plan = await refill(['plan', '--shop', root]);
  expect(plan).toMatchObject({ code: 2, err: '' });
  expect(plan.out).toContain('+ brand alpha: new (pay.alpha.example, useuro)\n');

  const applied = await refill(['apply', '--shop', root]);
  expect(applied).toMatchObject({ code: 0, err: '' });
  expect(applied.out).toContain('Applied as revision 1;');

  const old = { REFILL_ENVIRONMENT: 'demo', REFILL_HEALTH_PORT: '9091' };
  expect(await refill(['plan', '--shop', root], database.url, old)).toEqual({
    code: 0,
    out: 'Files and database agree: nothing to apply.\n',
    err: 'warning: REFILL_HEALTH_PORT is deprecated since 0.2.0 and gone with 0.3.0: name it REFILL_OPERATOR_PORT.\n',
  });
  const again = await refill(['apply', '--shop', root, '--json']);
  expect(JSON.parse(again.out)).toEqual({ ok: true, changed: false, revision: 1, changes: [], warnings: [] });
});

test('a command that is mistyped is told in a few lines, not behind the whole help', async () => {
  const { code, out, err } = await refill(['order', 'fnd']);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^error: unknown command 'fnd'\n\(Did you mean find\?\)\nAdd --help /);
  expect(err.trim().split('\n').length).toBeLessThan(6);
});

test('a revision that is no number and a game that is none are named', async () => {
  expect((await refill(['revisions', 'show', 'abc'])).err).toBe(
    'refill: The revision is "abc": it must be a whole number above 0.\n',
  );
  const check = ['game', 'check', 'quset', '--url', 'http://127.0.0.1:9/v1', '--user', '1'];
  await writeFile(join(root, 'secret'), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const { err } = await refill([...check, '--secret-file', join(root, 'secret'), '--shop', root]);
  expect(err).toMatch(/^refill: \S+ has no game "quset": name one of \S.*, or give --client\.\n$/);
});

test('refuses a database of the other environment in one sentence, and one whose environment is not said', async () => {
  expect(await refill(['apply', '--shop', root], database.url, { REFILL_ENVIRONMENT: 'live' })).toEqual({
    code: 1,
    out: '',
    err:
      'refill: This database belongs to the demo environment and REFILL_ENVIRONMENT is live: give each environment ' +
      'a database of its own.\n',
  });
  expect(await refill(['apply', '--shop', root], database.url, { REFILL_ENVIRONMENT: '' })).toEqual({
    code: 1,
    out: '',
    err: 'refill: REFILL_ENVIRONMENT is missing: say which side this process serves, demo or live.\n',
  });
});

test('tells faults on the error stream and changes nothing', async () => {
  const file = join(root, 'brands', 'alpha', 'brand.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace("'#5B6CFF'", 'blue'));
  const sentence = 'brands/alpha/brand.yaml:3: theme: "blue" is not a six-digit hex colour; write e.g. "#5B6CFF"';
  for (const command of ['plan', 'apply']) {
    expect(await refill([command, '--shop', root])).toEqual({
      code: 1,
      out: '',
      err: `${sentence}\n1 fault: nothing was written.\n`,
    });
  }
  const printed = JSON.parse((await refill(['apply', '--shop', root, '--json'])).out);
  expect(printed).toMatchObject({ ok: false, faults: [{ line: 3, field: 'theme', sentence }] });
});

test('lists the texts that a language lacks, for a person and for a tool, without a database', async () => {
  const copy = await mkdtemp(join(tmpdir(), 'refill-texts-'));
  await cp(join(project, 'testing', 'fixtures', 'configuration'), copy, { recursive: true });
  const nowhere = 'postgres://nobody@127.0.0.1:1/none';
  expect(await refill(['plan', '--missing-texts', '--shop', copy], nowhere)).toEqual({
    code: 0,
    out: 'No text is missing.\n',
    err: '',
  });
  const game = join(copy, 'games', 'quest', 'game.yaml');
  await writeFile(game, (await readFile(game, 'utf8')).replace(', de: Wochenpaket', ''));
  const list = await refill(['plan', '--missing-texts', '--shop', copy], nowhere);
  expect(list).toMatchObject({ code: 2, err: '' });
  expect(list.out).toBe(
    'games/quest/game.yaml:31: goods[quest_week].name.de: "Weekly pack"\ngames/quest/game.yaml: de 1\n',
  );
  const printed = await refill(['plan', '--missing-texts', '--json', '--shop', copy], nowhere);
  const { texts } = JSON.parse(printed.out);
  expect(texts).toEqual([
    {
      file: 'games/quest/game.yaml',
      line: 31,
      path: 'goods[quest_week].name',
      language: 'de',
      english: 'Weekly pack',
      brands: ['alpha', 'beta'],
    },
  ]);
  await writeFile(game, 'name: [');
  expect(await refill(['plan', '--missing-texts', '--shop', copy], nowhere)).toMatchObject({ code: 1, out: '' });
  await rm(copy, { recursive: true });
});

test('says in one sentence that the database is not there', async () => {
  const run = await refill(['plan', '--shop', project], 'postgres://nobody@127.0.0.1:1/none');
  expect(run).toMatchObject({ code: 1, out: '' });
  expect(run.err).toMatch(/^refill: .*ECONNREFUSED.*\n$/);
});

test('writes the schemas', async () => {
  const out = join(root, 'schemas');
  expect((await refill(['schemas', '--out', out])).code).toBe(0);
  expect(JSON.parse(await readFile(join(out, 'brand.schema.json'), 'utf8')).title).toBe('Refill brand');
});

test('says in one sentence what is wrong with a database, and which setting mends it', async () => {
  const at = (change: (url: URL) => void): string => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };
  const findNobody = ['order', 'find', 'nobody'];
  const away = await refill(
    findNobody,
    at((url) => void (url.port = '1')),
  );
  expect(away).toMatchObject({ code: 1, out: '' });
  expect(away.err).toMatch(
    /^refill: The database at 127\.0\.0\.1:1 cannot be reached \(.*\): start it, or mend DATABASE_URL\.\n$/,
  );
  const stranger = await refill(
    findNobody,
    at((url) => void (url.password = 'wrong')),
  );
  expect(stranger.err).toMatch(/refuses the account of DATABASE_URL \(.*\): mend its name or password\.\n$/);
  const unknown = await refill(
    findNobody,
    at((url) => void (url.pathname = '/nosuch')),
  );
  expect(unknown.err).toMatch(
    /^refill: DATABASE_URL leads to no database at .* \(.*"nosuch" does not exist\): create it, or mend the name /,
  );
  const empty = await refill(
    findNobody,
    at((url) => void (url.pathname = '/postgres')),
  );
  expect(empty.err).toMatch(/has no tables of Refill: run apply first, or mend DATABASE_URL\.\n$/);
});
