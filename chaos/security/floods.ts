// Tests 24 to 26: many logins from one address, under invented addresses, and more of them at
// once than the machine can hash.
import { CODES } from '#contracts/errors.ts';
import { createApp } from '#server/app.ts';
import { openDb } from '#server/platform/database/db.ts';
import { createLoginLimits } from '#server/platform/limits/login-limits.ts';
import { createAccountsService } from '#server/modules/accounts/service.ts';
import { type TestShop, credentials } from '#testing/shop.ts';
import { LOGIN, makeAccount } from './people.ts';
import type { Round, SecurityTest } from './security-test.ts';

const LIMIT = 20;
const TRIES = 25;

async function makeLimited({ harness, defer }: Round): Promise<TestShop> {
  const shop = await harness.makeShop({ environment: { REFILL_LOGINS_PER_MINUTE: String(LIMIT) } });
  defer(() => shop.close());
  return shop;
}

/** A second process as far as logins know: its own pool, its own limits, its own app. */
async function addProcess(shop: TestShop, { defer }: Round): Promise<TestShop> {
  const { services } = shop;
  const db = openDb(shop.databaseUrl, { max: 4, onError: () => undefined });
  defer(() => db.end());
  const accounts = createAccountsService({
    db,
    log: services.log,
    configuration: services.configuration,
    limits: createLoginLimits(db, LIMIT),
    gameAccounts: { provider: 'game', verifyPassword: async () => ({ kind: 'unavailable' }) },
  });
  const app = await createApp({ ...services, db, accounts });
  await app.ready();
  defer(() => app.close());
  return {
    ...shop,
    app,
    post: ((path: string, body: object, sent: { remoteAddress: string; headers?: object }) =>
      postTo(app, path, body, sent)) as TestShop['post'],
  };
}

async function postTo(
  app: TestShop['app'],
  path: string,
  body: object,
  sent: { remoteAddress: string; headers?: object },
) {
  const answer = await app.inject({
    method: 'POST',
    url: path,
    remoteAddress: sent.remoteAddress,
    headers: {
      host: 'watt.demo.localhost',
      'content-type': 'application/json',
      'x-refill': '1',
      'sec-fetch-site': 'same-origin',
      ...sent.headers,
    },
    payload: body,
  });
  return {
    ...(JSON.parse(answer.body) as object),
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
  };
}

/** 25 logins by 25 names: the first twenty are looked at, the others are told when to come again. */
async function flood(
  round: Round,
  what: string,
  processes: readonly TestShop[],
  sentOf: (n: number) => { remoteAddress: string; headers?: Record<string, string> },
): Promise<void> {
  for (let n = 1; n <= TRIES; n += 1) {
    const shop = processes[n % processes.length];
    if (!shop) continue;
    const answer = await shop.post(LOGIN, credentials(`${what} ${n}`, 'wrong'), sentOf(n));
    if (n <= LIMIT) round.allowed(`${what}: try ${n}`, answer.code === CODES.wrongCredentials.code, answer.text);
    else
      round.refused(
        `${what}: try ${n}`,
        answer.status === 429 && Number(answer.headers['retry-after']) > 0,
        answer.text,
      );
  }
}

const oneAddress: SecurityTest = {
  number: '24',
  asvs: '6.3.1',
  about: '25 logins a minute from one address over 25 accounts, at one process and at two',
  run: async (round) => {
    const shop = await makeLimited(round);
    await flood(round, 'one process', [shop], () => ({ remoteAddress: '203.0.113.9' }));
    const other = await addProcess(shop, round);
    await flood(round, 'two processes', [shop, other], () => ({ remoteAddress: '203.0.113.10' }));
    await flood(round, 'one network', [shop], (n) => ({ remoteAddress: `2001:db8:1:2::${n}` }));
    const elsewhere = await shop.post(LOGIN, credentials('elsewhere', 'wrong'), { remoteAddress: '203.0.113.11' });
    round.allowed('another address meanwhile', elsewhere.code === CODES.wrongCredentials.code, elsewhere.text);
  },
};

const invented: SecurityTest = {
  number: '25',
  asvs: '15.3.4',
  about: 'the same with invented X-Forwarded-For, Forwarded and X-Real-IP',
  run: async (round) => {
    const shop = await makeLimited(round);
    await flood(round, 'invented addresses', [shop], (n) => ({
      remoteAddress: '203.0.113.9',
      headers: {
        'x-forwarded-for': `198.51.100.${n}`,
        forwarded: `for=198.51.100.${n}`,
        'x-real-ip': `198.51.100.${n}`,
        'cf-connecting-ip': `198.51.100.${n}`,
      },
    }));
    // Behind the proxy that is trusted only the last address counts, which is the proxy's own word.
    await flood(round, 'invented before the proxy', [shop], (n) => ({
      remoteAddress: '10.0.0.1',
      headers: { 'x-forwarded-for': `198.51.100.${n}, 203.0.113.12` },
    }));
  },
};

const manyAtOnce: SecurityTest = {
  number: '26',
  asvs: '15.2.2',
  about: 'logins all at once: others are served, the queue has an end, memory too',
  run: async ({ harness, times, allowed, refused, holds }) => {
    const shop = await harness.shop();
    const account = await makeAccount(shop);
    const count = times({ short: 150, full: 500 });
    const before = process.memoryUsage.rss();
    let isOver = false;
    const logins = Promise.all(
      Array.from({ length: count }, (_, n) =>
        shop.post(LOGIN, credentials(n % 5 === 0 ? account.username : `flood ${n}`, account.password), {
          remoteAddress: `198.51.${n % 250}.7`,
        }),
      ),
    ).finally(() => (isOver = true));
    const took: number[] = [];
    let most = 0;
    while (!isOver) {
      const began = performance.now();
      const answer = await shop.get('/api/pay/getGameListV2?client_id=70021');
      took.push(performance.now() - began);
      most = Math.max(most, process.memoryUsage.rss());
      if (answer.code !== 1) allowed('the list of games meanwhile', false, answer.text);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const answers = await logins;
    const statuses = new Map<number, number>();
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    for (const answer of answers) {
      const isLate =
        answer.status === 503 && Number(answer.headers['retry-after']) > 0 && answer.code === CODES.unavailable.code;
      // Of one account only so many are looked at at once; the others have to wait.
      const isLimited = answer.status === 429 && Number(answer.headers['retry-after']) > 0;
      if (isLate || isLimited) refused('beyond the queue', true);
      else allowed('inside the queue', answer.status === 200, answer.text);
    }
    holds('some were too many, some were served', (statuses.get(503) ?? 0) > 0 && (statuses.get(200) ?? 0) > 40, [
      ...statuses,
    ]);
    const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
    // Inside the tests the machine does other things as well.
    const maxWaitMs = times({ short: 10_000, full: 1000 });
    holds(`others wait less than ${maxWaitMs} ms (p99)`, took.length > 3 && p99 < maxWaitMs, p99);
    // Two hashes of 19 MiB at once, and the answers of a few hundred calls.
    holds('memory is bounded: less than 150 MB more', most - before < 150_000_000, most - before);
    allowed(
      'a login after it',
      (await shop.post(LOGIN, credentials(account.username, account.password), { remoteAddress: '192.0.2.200' }))
        .code === 1,
    );
  },
};

export const FLOOD_TESTS: readonly SecurityTest[] = [oneAddress, invented, manyAtOnce];
