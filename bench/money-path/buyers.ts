// Players who can buy: accounts, sessions, characters, and what each of them may order. Made before the measuring begins.
import { randomBytes } from 'node:crypto';
import type { Pool } from 'undici';
import { accountRoutes } from '#contracts/accounts.ts';
import { encodeCredential } from '#contracts/credentials.ts';
import type { Envelope } from '#contracts/envelope.ts';
import { type RoleItem, gameRoutes } from '#contracts/games.ts';
import { type PayInput, type PaymentOption, paymentRoutes } from '#contracts/payments.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { createAccountsService } from '#server/modules/accounts/service.ts';
import { localDemoHost } from '#server/modules/configuration/configuration.ts';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import type { Db } from '#server/platform/db.ts';
import { createLoginLimits } from '#server/platform/limits.ts';
import { createLog } from '#server/platform/log.ts';

/** The shop that keeps its accounts itself and sells every game. */
export const BRAND = 'watt' as BrandKey;
const COUNTRY = 'US';
const PASSWORD = 'for-the-bench-only';

export type Buyer = {
  readonly playerId: PlayerId;
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies of pay calls, one for each character and product; taken in turn, so that no order meets an unpaid one of its kind. */
  readonly orders: readonly string[];
  next: number;
};

export type Market = { readonly buyers: readonly Buyer[]; readonly payCall: string };

/** Ready buyers; throws when the shop refuses any of them. */
export async function makeBuyers(
  db: Db,
  server: Pool,
  options: { port: number; provider: string; count: number },
): Promise<Market> {
  const configuration = await loadConfiguration(db);
  const names = Array.from({ length: options.count }, (_, index) => `bench-${index}`);
  const players = await makeAccounts(db, configuration, names);
  const host = `${localDemoHost(BRAND)}:${options.port}`;
  const goods = await listGoods(server, configuration, host, options.provider);
  const buyers: Buyer[] = [];
  // The server hashes two passwords at once; more would only wait.
  await twoAtATime(names, async (name) => {
    const playerId = players.get(name);
    if (playerId) buyers.push(await makeBuyer(server, host, goods, name, playerId));
  });
  return { buyers, payCall: `/api/pay/${options.provider}_pay` };
}

async function makeAccounts(
  db: Db,
  configuration: Configuration,
  names: readonly string[],
): Promise<Map<string, PlayerId>> {
  const accounts = createAccountsService({
    db,
    log: createLog('silent'),
    configuration: () => configuration,
    limits: createLoginLimits(db, 1),
    gameAccounts: { provider: 'game', verifyPassword: async () => ({ kind: 'unavailable' }) },
  });
  const players = new Map<string, PlayerId>();
  await twoAtATime(names, async (name) => {
    players.set(name, await accounts.saveAccount({ brandKey: BRAND, username: name, suid: name, password: PASSWORD }));
  });
  return players;
}

async function twoAtATime(names: readonly string[], work: (name: string) => Promise<void>): Promise<void> {
  const left = names.values();
  const run = async (): Promise<void> => {
    for (const name of left) await work(name);
  };
  await Promise.all([run(), run()]);
}

export type Goods = { readonly clientId: string; readonly products: readonly { id: string; channel: PaymentOption }[] };

/** What anyone may buy any number of times, with the way to pay it by `provider`. */
export async function listGoods(
  server: Pool,
  configuration: Configuration,
  host: string,
  provider: string,
): Promise<Goods[]> {
  const goods: Goods[] = [];
  for (const game of configuration.games.values()) {
    // Where a game has sub-games, these are what is played; the game's own client only groups them.
    const clientIds = game.file.subGames?.map((sub) => sub.clientId) ?? Object.values(game.file.clients);
    for (const clientId of new Set(clientIds)) {
      const products: { id: string; channel: PaymentOption }[] = [];
      for (const { id, file } of game.products.values()) {
        if (file.limit || file.stock !== undefined) continue;
        const asked = new URLSearchParams({ client_id: clientId, product_id: id, country: COUNTRY });
        const { list } = await get<{ list: Record<string, PaymentOption[]> }>(
          server,
          `${paymentRoutes.channels.path}?${asked}`,
          { host },
        );
        const channel = Object.values(list)
          .flat()
          .find((option) => option.pay_path === `${provider}_pay` && option.sub_payment.length === 0);
        if (channel) products.push({ id, channel });
      }
      goods.push({ clientId, products });
    }
  }
  return goods;
}

async function makeBuyer(
  server: Pool,
  host: string,
  goods: readonly Goods[],
  name: string,
  playerId: PlayerId,
): Promise<Buyer> {
  const own = { host, 'content-type': 'application/json', 'x-refill': '1', 'sec-fetch-site': 'same-origin' };
  const prefix = () => randomBytes(2).toString('hex').slice(0, 3);
  const login = await server.request({
    method: 'POST',
    path: accountRoutes.login.path,
    headers: own,
    body: JSON.stringify({
      username: encodeCredential(name, prefix()),
      password: encodeCredential(PASSWORD, prefix()),
      client_id: goods[0]?.clientId,
    }),
  });
  const cookie = String(login.headers['set-cookie'] ?? '').split(';', 1)[0] ?? '';
  const answer = (await login.body.json()) as Envelope<unknown>;
  if (answer.code !== 1) throw new Error(`${name} could not log in: ${answer.code} ${answer.msg}`);
  const headers = { ...own, cookie };
  return { playerId, headers, orders: await listOrderBodies(server, headers, goods), next: 0 };
}

/** Bodies of pay calls for every character of the player and everything that it may buy. */
export async function listOrderBodies(
  server: Pool,
  headers: Readonly<Record<string, string>>,
  goods: readonly Goods[],
): Promise<string[]> {
  const orders: string[] = [];
  for (const { clientId, products } of goods) {
    const { list } = await get<{ list: RoleItem[] }>(
      server,
      `${gameRoutes.allRoles.path}?client_id=${clientId}`,
      headers,
    );
    for (const role of list) for (const { id, channel } of products) orders.push(payBody(clientId, role, id, channel));
  }
  return orders;
}

function payBody(clientId: string, role: RoleItem, productId: string, channel: PaymentOption): string {
  const input: PayInput = {
    client_id: clientId,
    server_id: role.server_id,
    role_id: role.value,
    areaId: role.area_id,
    product_id: productId,
    country: COUNTRY,
    platform: 'web',
    channel_id: channel.channel_id,
  };
  return JSON.stringify(input);
}

async function get<Content>(server: Pool, path: string, headers: Readonly<Record<string, string>>): Promise<Content> {
  const response = await server.request({ method: 'GET', path, headers: { ...headers } });
  const answer = (await response.body.json()) as Envelope<Content>;
  if (answer.code !== 1 || answer.content === null) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
  return answer.content;
}
