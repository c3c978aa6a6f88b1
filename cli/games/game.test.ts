// `refill game check` against the simulated game, which keeps the contract, and against the same game behind a proxy
// that breaks one thing at a time: the cases that ask for that thing must see it.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { newDataFolder } from '#simulators/kit/test-harness.ts';
import { demoPassword } from '#simulators/gameserver-calls.ts';
import { type Simulators, startSimulators } from '#simulators/start.ts';
import { createProgram } from '#cli/program.ts';
import { CASES } from './check/run-cases.ts';

let simulators: Simulators;
let secret: string;
let address: string;
let files: { secret: string; noSecret: string; password: string };
let proxy: Server | null = null;

beforeAll(async () => {
  const dataDir = newDataFolder();
  simulators = await startSimulators({ port: 0, dataDir, shopUrl: 'http://127.0.0.1:9' });
  secret = simulators.environment['REFILL_GAME_EMBERFALL_DEMO_SECRETS']!;
  address = simulators.environment['REFILL_GAME_EMBERFALL_DEMO_URL']!;
  files = { secret: join(dataDir, 'secret'), noSecret: join(dataDir, 'none'), password: join(dataDir, 'password') };
  await writeFile(files.secret, `${secret}\n`);
  await writeFile(files.noSecret, 'whsec_not*base64\n');
  await writeFile(files.password, demoPassword);
});
afterAll(() => simulators.close());
afterEach(() => void proxy?.close());

async function run(...args: string[]): Promise<{ out: string; code: number }> {
  const printed: string[] = [];
  let code = 0;
  const program = createProgram({
    environment: {},
    out: (text) => printed.push(text),
    err: (text) => printed.push(text),
    setExitCode: (exit) => (code = exit),
    ask: null,
  });
  await program.parseAsync(['node', 'refill', 'game', ...args]);
  return { out: printed.join('\n'), code };
}

const about = (url: string) =>
  [
    '--url', url, '--secret-file', files.secret, '--client', '70011', '--user', 'kestrel', '--product', 'gems-300',
    '--username', 'kestrel', '--password-file', files.password,
  ]; /* a row a line */ // prettier-ignore
const check = (url: string, ...more: string[]) => run('check', 'emberfall', ...about(url), ...more);

async function brokenBy(break_: Break, only = ''): Promise<string[]> {
  const { out, code } = await check(await standBetween(break_), '--json', '--only', only);
  const { cases, ok } = JSON.parse(out) as { ok: boolean; cases: { name: string; outcome: string }[] };
  const broken = cases.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name);
  expect([ok, code]).toEqual(broken.length === 0 ? [true, 0] : [false, 1]);
  return broken;
}

type Message = { verb: string; id: string; body: Record<string, unknown>; isSigned: boolean };
type Reply = { status: number; body: Record<string, unknown> };
/** A bad game does this instead; `forward` asks the good one, signed anew. */
type Break = (message: Message, forward: (changed?: Partial<Message>) => Promise<Reply>) => Promise<Reply>;

async function standBetween(break_: Break): Promise<string> {
  const verifier = new Webhook(secret);
  proxy = createServer((request, response) => {
    void (async () => {
      const text = await readAll(request);
      const verb = request.url!.slice(1);
      const id = String(request.headers['webhook-id'] ?? '');
      const message: Message = { verb, id, body: {}, isSigned: true };
      try {
        verifier.verify(text, request.headers as Record<string, string>);
      } catch {
        message.isSigned = false;
      }
      try {
        message.body = JSON.parse(text) as Record<string, unknown>;
      } catch {
        response.writeHead(400).end('{}');
        return;
      }
      const forward = async (changed: Partial<Message> = {}): Promise<Reply> => {
        const sent = { ...message, ...changed };
        const [body, at] = [JSON.stringify(sent.body), new Date()];
        const answer = await fetch(`${address}/${sent.verb}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'webhook-id': sent.id,
            'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
            'webhook-signature': verifier.sign(sent.id, at, body),
          },
          body,
        });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      };
      const reply = await break_(message, forward);
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    })();
  });
  await new Promise<void>((listening) => proxy!.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

const unsigned = { status: 401, body: { error: 'invalid_signature' } };
/** Keeps the contract but for what `break_` answers; null: as it should be. */
const keeping =
  (break_: (message: Message, forward: Parameters<Break>[1]) => Promise<Reply | null>): Break =>
  async (message, forward) =>
    message.isSigned ? ((await break_(message, forward)) ?? forward()) : unsigned;

test('a game that keeps the contract passes every case', async () => {
  expect(CASES.length).toBeGreaterThanOrEqual(40);
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  const { out, code } = await check(address);
  expect(out).toContain(`${CASES.length} cases: ${CASES.length} ok, 0 broken, 0 not offered.`);
  expect(out).not.toContain(secret.slice(6));
  expect(out).not.toContain(demoPassword);
  expect(code).toBe(0);
});

test('the same through a proxy that changes nothing', async () => {
  expect(await brokenBy(keeping(async () => null))).toEqual([]);
});

test('whoever does not look at signatures breaks each case of a wrong one', async () => {
  // A call without an id the game behind refuses by itself.
  const broken = await brokenBy(async (_, forward) => forward(), 'signature|unsigned');
  expect(broken).toEqual([
    'signature-secret',
    'signature-missing',
    'signature-empty',
    'signature-time-missing',
    'signature-old',
    'signature-future',
    'signature-byte',
    'signature-other-id',
    'signature-prefix',
    'grant-unsigned',
    'unblock-unsigned',
  ]);
});

let count = 0;
const BREAKS: Record<string, [break_: Break, seen: string[], only: string]> = {
  'delivers a repeat once more': [
    keeping(async ({ verb, id, body }, forward) => {
      if (verb !== 'grant' || id.startsWith('RW-') || id !== body['billing_no']) return null;
      const key = `${id}-${(count += 1)}`;
      return forward({ id: key, body: { ...body, billing_no: key } });
    }),
    ['grant-ok', 'grant-again', 'grant-two-at-once', 'grant-ten-at-once', 'grant-cut', 'grant-key-reused'],
    '^grant-(ok|again|two|ten|cut|key-reused)',
  ],
  'makes a new receipt each time': [
    keeping(async ({ verb }, forward) => {
      const reply = await forward();
      const isGiven = ['grant', 'revoke'].includes(verb) && reply.body['status'] === 'ok';
      return isGiven ? { ...reply, body: { ...reply.body, receipt_id: `R-${(count += 1)}` } } : reply;
    }),
    [
      'grant-again',
      'grant-two-at-once',
      'grant-ten-at-once',
      'grant-key-reused',
      'grant-reward',
      'revoke-ok',
      'grant-after-revoke',
    ],
    'grant|revoke',
  ],
  'takes a reused key for a repeat': [
    keeping(async ({ verb }, forward) => {
      const reply = await forward();
      return verb === 'grant' && reply.status === 409 ? { status: 200, body: { status: 'ok', receipt_id: 'R' } } : null;
    }),
    ['grant-key-reused'],
    '^grant-key',
  ],
  'says yes to everybody': [
    keeping(async ({ verb }) => (verb === 'check' ? { status: 200, body: { status: 'ok' } } : null)),
    ['check-no-character', 'check-other-player', 'check-odd-character'],
    '^check',
  ],
  'answers what it does not know with 500': [
    keeping(async (_, forward) => {
      const reply = await forward();
      return reply.body['status'] === 'declined' ? { status: 500, body: {} } : reply;
    }),
    [
      'check-no-character',
      'check-other-player',
      'check-odd-character',
      'authenticate-wrong',
      'identify-unknown',
      'grant-no-character',
      'grant-other-player',
      'grant-other-product',
      'revoke-not-granted',
    ],
    'check|authenticate|identify|grant|revoke',
  ],
  'forgets what it delivered': [
    keeping(async ({ verb }) => (verb === 'applied' ? { status: 200, body: { status: 'ok', applied: [] } } : null)),
    [
      'grant-ok',
      'grant-again',
      'grant-two-at-once',
      'grant-ten-at-once',
      'grant-cut',
      'applied-lists',
      'grant-after-revoke',
    ],
    'grant|applied',
  ],
  'turns pages for ever': [
    keeping(async ({ verb }) =>
      verb === 'applied' ? { status: 200, body: { status: 'ok', applied: [], next: '1' } } : null,
    ),
    ['applied-lists', 'applied-recovery', 'applied-since'],
    '^applied',
  ],
  'writes ids as numbers': [
    keeping(async ({ verb }, forward) => {
      const reply = await forward();
      const roles = reply.body['roles'] as { id: string }[] | undefined;
      if (verb !== 'roles' || !roles) return reply;
      return { ...reply, body: { ...reply.body, roles: roles.map((role) => ({ ...role, id: Number(role.id) })) } };
    }),
    ['roles-shape'],
    '^roles-shape',
  ],
  'lists servers of every area': [
    keeping(async ({ verb, body }, forward) =>
      verb === 'servers' ? forward({ body: { client_id: body['client_id'] } }) : null,
    ),
    ['servers-area'],
    '^servers',
  ],
  'lists characters of every server': [
    keeping(async ({ verb, body }, forward) =>
      verb === 'roles' ? forward({ body: { client_id: body['client_id'], user_id: body['user_id'] } }) : null,
    ),
    ['roles-filter'],
    '^roles',
  ],
  'tells another account at login': [
    keeping(async ({ verb }, forward) => {
      const reply = await forward();
      const isIn = verb === 'authenticate' && reply.body['status'] === 'ok';
      return isIn ? { ...reply, body: { ...reply.body, user_id: 'another' } } : reply;
    }),
    ['authenticate-right'],
    '^authenticate',
  ],
  'answers verbs that it does not have': [
    keeping(async ({ verb }) => (verb === 'no-such-verb' ? { status: 200, body: { status: 'ok' } } : null)),
    ['verb-unknown'],
    '^verb',
  ],
};

test.each(Object.entries(BREAKS))('a game that %s is seen', async (_, [break_, seen, only]) => {
  expect(await brokenBy(break_, only)).toEqual(seen);
});

test('verbs that may be missing are told as not offered, those that may not as broken', async () => {
  const required = ['servers', 'roles', 'check', 'grant'];
  const without = (missing: (verb: string) => boolean): Break =>
    keeping(async ({ verb }) => (missing(verb) ? { status: 404, body: {} } : null));
  expect(await brokenBy(without((verb) => !required.includes(verb)))).toEqual([]);
  expect(
    await brokenBy(
      without((verb) => verb === 'grant'),
      '^grant-ok',
    ),
  ).toEqual(['grant-ok']);
});

test('a game that is not there is one sentence, and so is a wrong option', async () => {
  await expect(check('http://127.0.0.1:9')).rejects.toThrow(
    'The characters of kestrel cannot be read (nothing listens at http://127.0.0.1:9): check --url, or the setting it ' +
      'stands for.',
  );
  await expect(check(address, '--only', 'no-such-case')).rejects.toThrow('No case matches "no-such-case"');
  await expect(run('check', 'emberfall', '--user', 'u', '--url', address, '--secret-file', '/no/file')).rejects.toThrow(
    '--secret-file /no/file cannot be read (ENOENT): name a file that holds it.',
  );
  const as = (...more: string[]) => run('send', 'emberfall', 'grant', '--user', 'kestrel', ...more);
  await expect(as('--url', address, '--secret-file', files.secret, '--product', 'nosuch')).rejects.toThrow(
    'emberfall sells no "nosuch" in ',
  );
  await expect(as('--url', address, '--secret-file', files.noSecret)).rejects.toThrow(
    /^The secret of emberfall .*make one with `echo "whsec_\$\(openssl rand -base64 32\)"`\.$/,
  );
  await expect(as('--url', `${address}/elsewhere`, '--secret-file', files.secret)).rejects.toThrow(
    'check --url, to which the verbs are appended, or give --server and --role.',
  );
  await expect(run('send', 'emberfall', 'steal', ...about(address))).rejects.toThrow(
    'There is no verb "steal" to send',
  );
});

test('a grant tells the price of its product, or the example of the contract where the files know none', async () => {
  const paidFor = async (product: string) => {
    const { out } = await run('send', 'emberfall', 'grant', ...about(address), '--product', product);
    return /"paid": (\{[^}]*\})/.exec(out)?.[1]?.replaceAll(/\s+/g, ' ');
  };
  expect(await paidFor('ember_60')).toBe('{ "amount": "0.99", "currency": "USD" }');
  expect(await paidFor('gems-300')).toBe('{ "amount": "4.99", "currency": "USD" }');
});

test('one call is shown with both sides, and a grant can be sent again', async () => {
  const send = (...more: string[]) =>
    run('send', 'emberfall', 'grant', ...about(address), '--order', 'SEND-1', ...more);
  const first = await send();
  expect(first.out).toContain('webhook-id: SEND-1');
  expect(first.out).toMatch(/200 after \d+ ms/);
  const receipt = (out: string) => /"receipt_id": "([^"]+)"/.exec(out)?.[1];
  expect(receipt((await send()).out)).toBe(receipt(first.out));
  // Nobody is named, so nobody has to be there.
  const at = ['--url', address, '--secret-file', files.secret];
  expect((await run('send', 'emberfall', 'servers', ...at)).out).toMatch(/"servers"/);
  expect((await run('send', 'emberfall', 'revoke', '--order', 'SEND-1', ...at)).out).toMatch(/^200 after/m);
  await expect(run('send', 'emberfall', 'roles', ...at)).rejects.toThrow('roles is about a player: give --user.');

  const wrong = await run('send', 'emberfall', 'unblock', ...about(`${address}/none`), '--server', 's1', '--role', 'r');
  expect([wrong.code, wrong.out.includes('404 after')]).toEqual([1, true]);
});
