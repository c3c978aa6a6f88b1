// Tests that the output of `npm start` is true: each printed account logs in at every shop that keeps passwords or asks
// its game, and each printed card buys something where its line says. On the real database, services and simulated
// games of a start; only the processes are left out.
import { CONFIRMATIONS } from '#contracts/confirmations.ts';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardHashText, encodeCardInfo } from '#contracts/card-info.ts';
import { encodeCredential } from '#contracts/credentials.ts';
import { createApp } from '#server/app.ts';
import { compose } from '#server/compose.ts';
import { type Brand, type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { readConfig } from '#server/platform/config.ts';
import type { Db } from '#server/platform/database/db.ts';
import { createLog } from '#server/platform/log.ts';
import { DEMO_PASSWORD } from '#server/platform/settings/published.ts';
import { loadTexts } from '#server/platform/texts.ts';
import { shopProviders } from '#server/providers/shop-payments.ts';
import { demoPassword } from '#simulators/gameserver-calls.ts';
import { startSimulators } from '#simulators/start.ts';
import { cardInfo } from '#testing/cards.ts';
import { openTestDatabase } from '#testing/database.ts';
import { configureDemo, seedDemo } from './start-demo.ts';
import { demoSettings } from './start-demo-settings.ts';
import { type Demo, describeWelcome } from './start-print.ts';

let app: FastifyInstance;
let configuration: Configuration;
let databaseUrl: string;
let db: Db;
let demo: Demo;
const steps: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await openTestDatabase(6);
  steps.push(database.drop);
  ({ db, url: databaseUrl } = database);
  await configureDemo(databaseUrl);
  demo = await seedDemo(databaseUrl);
  configuration = await loadConfiguration(db);
  const dataDir = await mkdtemp(join(tmpdir(), 'refill-welcome-'));
  steps.push(() => rm(dataDir, { recursive: true, force: true }));
  const simulators = await startSimulators({ port: 0, dataDir, shopUrl: 'http://127.0.0.1:1', durable: false });
  steps.push(() => simulators.close());
  const read = readConfig({
    ...demoSettings,
    ...simulators.environment,
    DATABASE_URL: databaseUrl,
    REFILL_ENVIRONMENT: 'demo',
    REFILL_ROLE: 'web',
    REFILL_LOGINS_PER_MINUTE: '100000',
  });
  if ('faults' in read) throw new Error(read.faults.join('\n'));
  const shop = compose({
    config: read.config,
    db,
    log: createLog('silent'),
    texts: loadTexts(),
    providers: shopProviders,
    configuration: () => configuration,
  });
  steps.push(() => shop.outbound.close());
  app = await createApp(shop);
  steps.push(() => app.close());
});

afterAll(async () => {
  for (const step of steps.toReversed()) await step();
});

type Answer = { code: number; content: Record<string, unknown>; token: string };

async function ask(brand: Brand, path: string, body: object | null, token = ''): Promise<Answer> {
  const response = await app.inject({
    method: body ? 'POST' : 'GET',
    url: path,
    headers: {
      host: `${brand.key.toLowerCase()}.demo.localhost`,
      ...(token ? { cookie: `refill-demo=${token}` } : {}),
      ...(body ? { 'content-type': 'application/json', 'x-refill': '1', 'sec-fetch-site': 'same-origin' } : {}),
    },
    ...(body ? { payload: body } : {}),
  });
  const { code, content } = response.json<{ code: number; content: Record<string, unknown> }>();
  return { code, content, token: response.cookies.find(({ name }) => name === 'refill-demo')?.value ?? '' };
}

function listOf({ content }: Answer): unknown[] {
  return (content?.['list'] ?? []) as unknown[];
}

/** A client id of each game that the brand sells: that of a sub-game where it has some. */
function clientsOf(brand: Brand): string[] {
  return brand.file.games.flatMap((id) => {
    const { clients, subGames = [] } = configuration.games.get(id as never)!.file;
    return [...subGames.map(({ clientId }) => clientId), ...Object.values(clients ?? {})].slice(0, 1);
  });
}

async function logIn(
  brand: Brand,
  { login, password }: { login: string; password: string },
  client = clientsOf(brand)[0],
): Promise<Answer> {
  return ask(brand, '/util/login/auth', {
    username: encodeCredential(login, 'aB3'),
    password: encodeCredential(password, 'x9Z'),
    client_id: client,
  });
}

test('the published password is that of the simulated games', () => {
  expect(demoPassword).toBe(DEMO_PASSWORD);
});

test('every printed account logs in at every printed shop, and has the characters that its line promises', async () => {
  expect(demo.accounts.length).toBeGreaterThan(0);
  for (const brand of configuration.brands.values())
    for (const account of demo.accounts) {
      const answer = await logIn(brand, account);
      expect([brand.key, account.login, answer.code]).toEqual([brand.key, account.login, 1]);
      if (!account.note.includes('every game')) continue;
      for (const client of clientsOf(brand)) {
        // The line holds at each game that keeps accounts of its own.
        const { token } = brand.file.accounts === 'game' ? await logIn(brand, account, client) : answer;
        const roles = await ask(brand, `/api/system/allRoleList?client_id=${client}`, null, token);
        expect([brand.key, client, roles.code, listOf(roles).length > 0]).toEqual([brand.key, client, 1, true]);
      }
    }
});

test('every printed card buys something in the shop that its line names', async () => {
  expect(demo.cards.length).toBeGreaterThan(0);
  for (const card of demo.cards.filter(({ number }) => !number.startsWith('DEMOGEMS'))) {
    const [, face = '', currency = '', shop = ''] = /^(\d+) ([A-Z]{3}), .*e\.g\. (?:in )?(\S+)$/.exec(card.note) ?? [];
    const brand = configuration.brands.get(shop as never)!;
    expect([card.note, brand?.key]).toEqual([card.note, shop]);
    const { token } = await logIn(brand, demo.accounts[0]!);
    // Asked before the first order in shops of areas where minors may not spend all they want; else refused.
    const born = { birth_year: 1990, birth_month: 1, client_id: clientsOf(brand)[0] };
    await ask(brand, '/api/spending/declareAge', born, token);
    const state = await buy(brand, token, card, {
      currency,
      most: Number(face),
      payId: card.number.startsWith('DEMO43') ? 'card43' : 'card',
    });
    expect([card.note, state]).toEqual([card.note, 'paid']);
  }
  const { rows } = await db.query('select * from invariant_breach where breaches > 0');
  expect(rows).toEqual([]);
});

test('the printed card for goods is turned into them in the shop that its line names', async () => {
  const card = demo.cards.find(({ number }) => number.startsWith('DEMOGEMS'))!;
  const brand = configuration.brands.get(/e\.g\. in (\S+)$/.exec(card.note)?.[1] as never)!;
  const [clientId = ''] = clientsOf(brand);
  const { token } = await logIn(brand, demo.accounts[0]!);
  const [role] = listOf(await ask(brand, `/api/system/allRoleList?client_id=${clientId}`, null, token)) as Record<
    string,
    string
  >[];
  const confirmed = await ask(
    brand,
    '/api/pay/card_confirm',
    {
      client_id: clientId,
      server_id: role?.['server_id'],
      areaId: role?.['area_id'],
      role_id: role?.['value'],
      card_info: cardInfo(card.number, card.password),
    },
    token,
  );
  expect([card.note, confirmed.code]).toEqual([card.note, 1]);
});

test('a spent card is not printed again, and the accounts stay what they are', async () => {
  const again = await seedDemo(databaseUrl);
  expect(again.accounts).toEqual(demo.accounts);
  const numbers = new Set(demo.cards.map(({ number }) => number));
  expect(again.cards.map(({ number }) => number).filter((number) => numbers.has(number))).toEqual([]);
  expect(again.cards.map(({ note }) => note)).toEqual(demo.cards.map(({ note }) => note));
});

test('the coupons of the accounts work, and are not advertised while the page cannot use them', async () => {
  const brand = configuration.brands.get('watt' as never)!;
  const { token } = await logIn(brand, demo.accounts[0]!);
  const client = clientsOf(brand)[0];
  const { content } = await ask(
    brand,
    `/api/coupons/couponList?client_id=${client}&use_category=claim,avail`,
    null,
    token,
  );
  expect(JSON.stringify(content)).toContain('A fifth off');
  const text = describeWelcome({ port: 8080, brands: ['watt'], ...demo, inbox: 'http://x/game', logs: 'logs' });
  expect(text).not.toMatch(/coupon/i);
});

type Wanted = { readonly currency: string; readonly most: number; readonly payId: string };

/**
 * Buys the first thing that the card can pay, with the calls of the page. @returns the state of
 * the order, or what was refused
 */
async function buy(
  brand: Brand,
  token: string,
  card: { number: string; password: string },
  wanted: Wanted,
): Promise<string> {
  const info = createHash('sha256').update(cardHashText(card.number, card.password)).digest('hex');
  const refusals = new Set<number>();
  for (const client of clientsOf(brand)) {
    const game = configuration.gameOfClient(client)!.game;
    const roles = await ask(brand, `/api/system/allRoleList?client_id=${client}`, null, token);
    const [role] = listOf(roles) as { value: string; server_id: string; area_id: string }[];
    for (const [region, { countries }] of brand.regions)
      for (const { code: country, currency } of countries) {
        if (currency !== wanted.currency) continue;
        for (const product of game.products.values()) {
          const place = `client_id=${client}&product_id=${product.id}&domain_area=${region}&country=${country}`;
          const offered = await ask(brand, `/api/pay/getPayChannelList?${place}`, null, token);
          const options = Object.values(
            (offered.content?.['list'] ?? {}) as Record<string, { pay_id: string; price_minor?: number }[]>,
          ).flat();
          if (!options.some(({ pay_id: id }) => id === wanted.payId)) continue;
          const form = brand.file.areas?.[region]?.confirmation;
          const paid = await ask(
            brand,
            '/api/pay/card_pay',
            {
              ...(form && { accepted: CONFIRMATIONS[form].version }),
              client_id: client,
              product_id: product.id,
              domain_area: region,
              country,
              server_id: role?.server_id ?? '',
              role_id: role?.value ?? '',
              ...(role?.area_id ? { areaId: role.area_id } : {}),
              pay_id: wanted.payId,
              channel: '',
              channel_id: '',
              card_info: encodeCardInfo(card.number, card.password, info),
            },
            token,
          );
          if (paid.code !== 1) {
            refusals.add(paid.code);
            continue;
          }
          const { rows } = await db.query<{ state: string; amount_minor: number }>(
            'select state, amount_minor from orders where billing_no = $1',
            [paid.content['billing_no']],
          );
          return rows[0]!.state;
        }
      }
  }
  return `nothing can be bought with it: ${[...refusals].join(', ')}`;
}
