// docs/samples/signing: each verifier against the published vector, by the runtimes that this machine has. Node and
// Python are always there and get every case in one process; of the others the run says which were not found.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSection } from './examples.ts';

const samples = join(import.meta.dirname, '..', '..', 'docs', 'samples', 'signing');
const fileOf = (name: string): string => join(samples, name);

type Command = readonly string[];
type Sample = {
  readonly language: string;
  readonly file: string;
  /** Programs that must be on PATH. */
  readonly needs: readonly string[];
  /** Once, before the first run. */
  readonly build?: (folder: string) => Command;
  readonly run: (folder: string) => Command;
};

const SAMPLES: readonly Sample[] = [
  { language: 'Python', file: 'verify.py', needs: ['python3'], run: () => ['python3', fileOf('verify.py')] },
  { language: 'TypeScript', file: 'verify.ts', needs: [], run: () => [process.execPath, fileOf('verify.ts')] },
  {
    language: 'Go',
    file: 'verify.go',
    needs: ['go'],
    build: (folder) => ['go', 'build', '-o', join(folder, 'verify-go'), fileOf('verify.go')],
    run: (folder) => [join(folder, 'verify-go')],
  },
  {
    language: 'Java',
    file: 'Verify.java',
    needs: ['java', 'javac'],
    build: (folder) => ['javac', '-d', folder, fileOf('Verify.java')],
    run: (folder) => ['java', '-XX:TieredStopAtLevel=1', '-Xshare:auto', '-cp', folder, 'Verify'],
  },
  { language: 'PHP', file: 'verify.php', needs: ['php'], run: () => ['php', fileOf('verify.php')] },
  {
    language: 'C#',
    file: 'Verify.cs',
    needs: ['mcs', 'mono'],
    build: (folder) => ['mcs', `-out:${join(folder, 'Verify.exe')}`, fileOf('Verify.cs')],
    run: (folder) => ['mono', join(folder, 'Verify.exe')],
  },
];

const isOnPath = (name: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((at) => existsSync(join(at, name)));
const found = SAMPLES.filter(({ needs }) => needs.every(isOnPath));
const absent = SAMPLES.filter((one) => !found.includes(one)).map(({ language }) => language);
if (absent.length > 0) console.info(`Signing samples without a runtime here, not run: ${absent.join(', ')}.`);

/** @source docs/game-server-contract.md, "Signature" */
const [secret, other] = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
const at = 1_614_265_330;
const body = '{"test": 2432232314}';
const right = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
const wrong = new Webhook(other).sign(id, new Date(at * 1000), body);
const names = '{"name":"星野ひかり"}';

type Case = { secrets: string; signature: string; timestamp: string; body: string; now: number };
const vector: Case = { secrets: secret, signature: right, timestamp: String(at), body, now: at };
type Table = Readonly<Record<string, [changes: Partial<Case>, said: 'signed' | 'refused']>>;
const FIRST: Table = {
  'the published vector': [{}, 'signed'],
  'a changed byte': [{ body: body.replace('4}', '5}') }, 'refused'],
  'older than five minutes': [{ now: at + 301 }, 'refused'],
  'the second of two signatures': [{ signature: `${wrong} v2,x ${right}` }, 'signed'],
};
const ALL: Table = {
  ...FIRST,
  'five minutes of age, to the second': [{ now: at + 300 }, 'signed'],
  'from ahead': [{ now: at - 301 }, 'refused'],
  'the second of two secrets': [{ secrets: `${other},${secret}` }, 'signed'],
  'another secret': [{ signature: wrong }, 'refused'],
  'the right one under another prefix': [{ signature: right.replace('v1,', 'v1a,') }, 'refused'],
  'no signature': [{ signature: '' }, 'refused'],
  'a time that is none': [{ timestamp: '1614265330x' }, 'refused'],
  'a body beyond ASCII': [
    { body: names, signature: new Webhook(secret).sign(id, new Date(at * 1000), names) },
    'signed',
  ],
};
const casesOf = (table: Table): Case[] => Object.values(table).map(([changes]) => ({ ...vector, ...changes }));
/** By the case's name, so that a failure says which. */
const byName = (table: Table, words: readonly string[]): object =>
  Object.fromEntries(Object.keys(table).map((name, index) => [name, words[index]]));
const wantedOf = (table: Table): object => {
  const words = Object.values(table).map(([, word]) => word);
  return byName(table, words);
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'refill-signing-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run([program, ...args]: Command, one: Case): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program!,
      [...args, id, one.timestamp, one.signature, String(one.now)],
      { env: { ...process.env, SECRETS: one.secrets, NODE_OPTIONS: '' } },
      (error, out, err) => (error && error.code !== 1 ? reject(new Error(err)) : resolve(out.trim())),
    );
    child.stdin!.end(one.body);
  });
}

test('TypeScript: accepts what is signed and refuses everything else', async () => {
  const { isSigned } = (await import(pathToFileURL(fileOf('verify.ts')).href)) as {
    isSigned: (secrets: string[], headers: object, rawBody: Uint8Array, now: number) => boolean;
  };
  const said = casesOf(ALL).map(({ secrets, signature, timestamp, body: text, now }) =>
    isSigned(secrets.split(','), { id, timestamp, signature }, Buffer.from(text), now) ? 'signed' : 'refused',
  );
  expect(byName(ALL, said)).toEqual(wantedOf(ALL));
});

test('Python: accepts what is signed and refuses everything else', () => {
  const script = [
    'import json, sys',
    `sys.path.insert(0, ${JSON.stringify(samples)})`,
    'sys.dont_write_bytecode = True',
    'from verify import is_signed',
    'words = [is_signed(c["secrets"].split(","), c["id"], c["timestamp"], c["signature"], c["body"].encode(), ' +
      'c["now"]) for c in json.load(sys.stdin)]',
    'print(json.dumps(["signed" if word else "refused" for word in words]))',
  ];
  const input = JSON.stringify(casesOf(ALL).map((one) => ({ ...one, id })));
  const said = execFileSync('python3', ['-c', script.join('\n')], { input, encoding: 'utf8' });
  expect(byName(ALL, JSON.parse(said) as string[])).toEqual(wantedOf(ALL));
});

describe.each(found)('$language, as a command', ({ language, build, run: commandOf }) => {
  test('accepts the vector and refuses what was changed', { timeout: 120_000 }, async () => {
    const [program, ...args] = build?.(folder) ?? [];
    if (program) execFileSync(program, args, { stdio: 'pipe', env: { ...process.env, GO111MODULE: 'off' } });
    // The two above were asked everything already: here only whether the command works.
    const table = ['Python', 'TypeScript'].includes(language) ? { one: FIRST['the published vector']! } : FIRST;
    const said = await Promise.all(casesOf(table).map((one) => run(commandOf(folder), one)));
    expect(byName(table, said)).toEqual(wantedOf(table));
  });
});

test('Node and Python are among those that were run, and the document links every sample', async () => {
  expect(found.map(({ language }) => language)).toEqual(expect.arrayContaining(['Python', 'TypeScript']));
  const words = await readSection('Signature');
  for (const { file } of SAMPLES) expect(words).toContain(`samples/signing/${file}`);
  for (const text of [secret, id, String(at), body, right]) expect(words).toContain(text);
  // Constant time, in each language's own word for it.
  const texts = await Promise.all(SAMPLES.map(({ file }) => readFile(fileOf(file), 'utf8')));
  const compares = /compare_digest|timingSafeEqual|hmac\.Equal|MessageDigest\.isEqual|hash_equals|FixedTimeEquals/;
  for (const text of texts) expect(text).toMatch(compares);
});
