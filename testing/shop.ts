// A whole shop on a test database: the shipped brands, games and channels, with payments and games that a test scripts.
// Requests go through the real app by `inject`, with the headers a browser on the brand's own page would send.
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Environment } from '#kernel/environment.ts';
import type { BrandFile } from '#contracts/brand-file.ts';
import { encodeCredential } from '#contracts/credentials.ts';
import type { Envelope } from '#contracts/envelope.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { createApp } from '#server/app.ts';
import { type Composed, compose } from '#server/compose.ts';
import { channelsOfBrand } from '#server/modules/configuration/types/channel-types.ts';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { readConfig } from '#server/platform/config.ts';
import { type Db, openDb } from '#server/platform/database/db.ts';
import { assignEnvironment } from '#server/platform/database/environment.ts';
import { createLog } from '#server/platform/log.ts';
import { openSession } from '#server/platform/http/session.ts';
import { loadTexts } from '#server/platform/texts.ts';
import { type TestDatabase, createShopDatabase } from './database.ts';
import { type FakeGame, createFakeGame } from './fake-game.ts';
import { type FakeProvider, createFakeProvider } from './fake-payments.ts';

export type ShopOverrides = {
  /** Variables of the process, as an operator would set them. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Keys of brand files that differ from the shipped ones. */
  readonly brands?: Readonly<Record<string, Partial<BrandFile>>>;
  readonly providers?: readonly PaymentProvider[];
  /** Beside the scripted ones: those that pay in place. */
  readonly moreProviders?: readonly PaymentProvider[] | undefined;
  /** The games of the settings, over HTTP, instead of the scripted one. */
  readonly hasOwnGames?: boolean;
  /** Epoch milliseconds of the services; database time is the database's. */
  readonly now?: () => number;
  /** The template database to clone, outside of Vitest. */
  readonly templateUrl?: string;
  /** Instead of a clone: a database that has its configuration. It is dropped with the shop. */
  readonly database?: TestDatabase;
};

/** Someone logged in: what their browser sends. */
export type TestPlayer = {
  readonly brand: string;
  readonly playerId: PlayerId;
  readonly suid: string;
  readonly username: string;
  readonly token: string;
};

type Sent = {
  readonly brand?: string;
  /** Instead of the brand's own host; a demo's is plain http on this machine. */
  readonly host?: string;
  readonly session?: TestPlayer | null;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly remoteAddress?: string;
};

export type Answered<Content> = {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  readonly content: Content;
  readonly headers: LightMyRequestResponse['headers'];
  readonly text: string;
  readonly cookies: LightMyRequestResponse['cookies'];
};

export type TestShop = Awaited<ReturnType<typeof createTestShop>>;

export async function createTestShop(overrides: ShopOverrides = {}) {
  const database = overrides.database ?? (await createShopDatabase(overrides.templateUrl));
  const db = openDb(database.url, { max: 10, onError: () => undefined });
  // Hundreds press at once on machines of any speed: they wait for their turn. That a pool gives up is tested with it.
  db.options.connectionTimeoutMillis = 60_000;
  const statements = listenToStatements(db);
  const configuration = changeBrands(await loadConfiguration(db), overrides.brands ?? {});

  const paypal = createFakeProvider('paypal');
  const adyen = createFakeProvider('adyen');
  const game = createFakeGame();
  const logLines: string[] = [];
  const log = createLog('trace', { write: (line) => void logLines.push(line) });
  const shop = composeShop({ url: database.url, db, overrides, configuration, providers: [paypal, adyen], game, log });
  await assignEnvironment(db, shop.config.environment);
  const app = await createApp(shop);
  await app.ready();

  let names = 0;
  const send = (method: 'GET' | 'POST', path: string, sent: Sent, payload?: object | string) =>
    inject(app, shop.config.environment, method, path, sent, payload);
  return {
    db,
    databaseUrl: database.url,
    app,
    services: shop,
    configuration,
    paypal,
    adyen,
    game,
    logLines,
    /** Runs `work` and answers the statements it put on the wire: their names, or their text. */
    countStatements: async (work: () => Promise<unknown>): Promise<string[]> => {
      const before = statements.length;
      await work();
      return statements.slice(before);
    },
    get: <Content = unknown>(path: string, sent: Sent = {}) => send('GET', path, sent) as Promise<Answered<Content>>,
    /** From the brand's own page: our header, JSON, and the browser's word that it is the same origin. */
    post: <Content = unknown>(path: string, body: object | string, sent: Sent = {}) =>
      send('POST', path, sent, body) as Promise<Answered<Content>>,
    /** A new player with a session, without the work of a password. */
    logIn: async (who: { brand?: string; suid?: string; gameId?: string } = {}): Promise<TestPlayer> => {
      const brand = who.brand ?? 'watt';
      names += 1;
      const { playerId, suid, username } = await addPlayer(db, brand as BrandKey, `player${names}`, who.suid);
      const file = configuration.brands.get(brand as BrandKey)?.file;
      // An account belongs to one game where games keep the accounts: to the brand's first, when none is named.
      if (file?.accounts === 'game') {
        const subject = `${who.gameId ?? file.games[0]}/${suid}`;
        await db.query(
          `insert into player_identity (brand_key, provider, subject, player_id) values ($1, 'game', $2, $3)`,
          [brand, subject, playerId],
        );
        await db.query(`update player set game_account_id = hash_game_account('game', $2) where player_id = $1`, [
          playerId,
          subject,
        ]);
      }
      const session = await openSession(db, {
        playerId,
        brandKey: brand as BrandKey,
        kind: 'web',
        authMethod: 'password',
        replaces: null,
      });
      return { brand, playerId, suid, username, token: session.token };
    },
    close: async () => {
      await app.close();
      await shop.outbound.close();
      await db.end();
      await database.drop();
    },
  };
}

/** The login call's body for a name and a password as a person types them. */
export function credentials(username: string, password: string, clientId = '70021') {
  return {
    username: encodeCredential(username, 'aB3'),
    password: encodeCredential(password, 'x9Z'),
    client_id: clientId,
  };
}

function composeShop(parts: {
  url: string;
  db: Db;
  overrides: ShopOverrides;
  configuration: Configuration;
  providers: FakeProvider[];
  game: FakeGame;
  log: ReturnType<typeof createLog>;
}): Composed {
  const { overrides } = parts;
  const read = readConfig({
    DATABASE_URL: parts.url,
    REFILL_ENVIRONMENT: 'demo',
    // Nothing is delivered behind a test's back: who wants a delivery loop starts one.
    REFILL_ROLE: 'web',
    REFILL_LOGINS_PER_MINUTE: '100000',
    REFILL_MAX_ORDERS_PER_MINUTE: '1000',
    REFILL_MAX_OPEN_ORDERS: '1000',
    // Nothing of a test lies about on the disk: who wants a record names a folder.
    REFILL_CALLBACK_RECORD_MB: '0',
    REFILL_PAYPAL_DEMO_KEY: 'paypal-sandbox-key',
    REFILL_PAYPAL_LIVE_KEY: 'paypal-live-key',
    REFILL_ADYEN_DEMO_KEY: 'adyen-sandbox-key',
    ...overrides.environment,
  });
  if ('faults' in read) throw new Error(read.faults.join('\n'));
  return compose({
    config: read.config,
    db: parts.db,
    log: parts.log,
    texts: loadTexts(),
    providers: overrides.providers ?? [...parts.providers, ...(overrides.moreProviders ?? [])],
    configuration: () => (overrides.now ? parts.configuration.at(overrides.now()) : parts.configuration),
    ...(overrides.hasOwnGames ? {} : { gameServer: () => parts.game }),
    ...(overrides.now ? { now: overrides.now } : {}),
  });
}

function changeBrands(configuration: Configuration, changes: NonNullable<ShopOverrides['brands']>): Configuration {
  const brands = new Map(
    [...configuration.brands].map(([key, brand]) => {
      const file = { ...brand.file, ...changes[key] };
      return [key, { ...brand, file, channels: channelsOfBrand(key, file, configuration.channels) }];
    }),
  );
  const changed: Configuration = {
    ...configuration,
    at: (now) => {
      const next = configuration.at(now);
      return next === configuration ? changed : changeBrands(next, changes);
    },
    brands,
    brandByHost: (host) => {
      const found = configuration.brandByHost(host);
      return found ? (brands.get(found.key) ?? null) : null;
    },
  };
  return changed;
}

/** Every statement of every connection, also begin and commit. */
function listenToStatements(db: Db): string[] {
  const statements: string[] = [];
  db.on('connect', (client) => {
    const query = client.query.bind(client) as (...parts: unknown[]) => unknown;
    Object.assign(client, {
      query: (...parts: unknown[]) => {
        const [first] = parts as [string | { name?: string; text: string }];
        statements.push(typeof first === 'string' ? first : (first.name ?? first.text));
        return query(...parts);
      },
    });
  });
  return statements;
}

async function addPlayer(db: Db, brand: BrandKey, username: string, suid = `u-${username}`) {
  const { rows } = await db.query<{ player_id: PlayerId }>(
    `insert into player (player_id, brand_key, suid, username)
      values (gen_random_uuid(), $1, $2, $3) returning player_id`,
    [brand, suid, username],
  );
  const playerId = rows[0]?.player_id;
  if (!playerId) throw new Error('no player was made');
  return { playerId, suid, username };
}

async function inject(
  app: FastifyInstance,
  environment: Environment,
  method: 'GET' | 'POST',
  path: string,
  sent: Sent,
  payload: object | string | undefined,
): Promise<Answered<unknown>> {
  const brand = sent.session?.brand ?? sent.brand ?? 'watt';
  const headers: Record<string, string | undefined> = {
    ...asVisitor(environment, brand, sent.session?.token),
    ...(sent.host === undefined ? {} : { host: sent.host }),
    ...(method === 'POST'
      ? { 'content-type': 'application/json', 'x-refill': '1', 'sec-fetch-site': 'same-origin' }
      : {}),
    ...sent.headers,
  };
  const response = await app.inject({
    method,
    url: path,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    ...(payload === undefined ? {} : { payload }),
    ...(sent.remoteAddress ? { remoteAddress: sent.remoteAddress } : {}),
  });
  const envelope = readEnvelope(response.body);
  return {
    status: response.statusCode,
    code: envelope?.code ?? 0,
    msg: envelope?.msg ?? '',
    content: envelope?.content ?? null,
    headers: response.headers,
    text: response.body,
    cookies: response.cookies,
  };
}

/**
 * The brand's host, and the session as it can be shown there: a live host has no plain
 * cookie, and this call has no TLS.
 */
function asVisitor(environment: Environment, brand: string, token: string | undefined): Record<string, string> {
  const key = brand.toLowerCase();
  if (environment === 'live')
    return { host: `pay.${key}.example`, ...(token ? { authorization: `Bearer ${token}` } : {}) };
  return { host: `${key}.demo.localhost`, ...(token ? { cookie: `refill-demo=${token}` } : {}) };
}

function readEnvelope(text: string): Envelope<unknown> | null {
  try {
    return JSON.parse(text) as Envelope<unknown>;
  } catch {
    return null;
  }
}
