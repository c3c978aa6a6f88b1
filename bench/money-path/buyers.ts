// Players who can buy: accounts, sessions, characters, and what each of them may order. Made
// before the measuring begins.
import type { Pool } from 'undici';
import type { Envelope } from '#contracts/envelope.ts';
import { type RoleItem, gameRoutes } from '#contracts/games.ts';
import { type PayInput, type PaymentOption, paymentRoutes } from '#contracts/payments.ts';
import type { BrandKey, PlayerId } from '#kernel/ids.ts';
import { localDemoHost } from '#server/modules/configuration/configuration.ts';
import { type Configuration, loadConfiguration } from '#server/modules/configuration/service.ts';
import { type Db, query } from '#server/platform/database/db.ts';
import { openSession } from '#server/platform/http/session.ts';

/** The shop that keeps its accounts itself and sells every game. */
export const BRAND = 'watt' as BrandKey;
const COUNTRY = 'US';
/** Over plain HTTP on loopback. @source server/platform/http/cookie.ts */
const COOKIE = 'refill-demo';
/** Our choice: characters are asked of the game by this many at once. */
const HANDS = 8;

export type Buyer = {
  readonly playerId: PlayerId;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Bodies of pay calls, one for each character and product; taken in turn, so that no order
   * meets an unpaid one of its kind.
   */
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
  const accounts = (await makeAccounts(db, names)).values();
  const host = `${localDemoHost(BRAND)}:${options.port}`;
  const goods = await listGoods(server, configuration, host, options.provider);
  const buyers: Buyer[] = [];
  const make = async (): Promise<void> => {
    for (const { playerId } of accounts) buyers.push(await makeBuyer(db, server, host, goods, playerId));
  };
  await Promise.all(Array.from({ length: HANDS }, make));
  return { buyers, payCall: `/api/pay/${options.provider}_pay` };
}

/**
 * Without passwords: to hash a thousand of them, and to check them at a login, would take longer than the measuring.
 */
async function makeAccounts(db: Db, names: readonly string[]): Promise<{ playerId: PlayerId }[]> {
  return query(
    db,
    'bench_accounts',
    `insert into player (player_id, brand_key, suid, username) select gen_random_uuid(), $1, name, name
     from unnest($2::text[]) as name
     returning player_id as "playerId"`,
    [BRAND, names],
  );
}

export type Goods = { readonly clientId: string; readonly products: readonly { id: string; channel: PaymentOption }[] };

/** Lists goods that any player may buy any number of times, with the method to pay them by `provider`. */
export async function listGoods(
  server: Pool,
  configuration: Configuration,
  host: string,
  provider: string,
): Promise<Goods[]> {
  const goods: Goods[] = [];
  for (const game of configuration.games.values()) {
    // Players play the sub-games where a game has some; the game's own client only groups them.
    const clientIds = game.file.subGames?.map((sub) => sub.clientId) ?? Object.values(game.file.clients);
    for (const clientId of new Set(clientIds)) {
      const products: { id: string; channel: PaymentOption }[] = [];
      for (const { id, file } of game.products.values()) {
        // Goods that count something cost more, and the commit compared with may not have them.
        if (file.limit || file.stock !== undefined || file.firstTime || file.beta) continue;
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
  db: Db,
  server: Pool,
  host: string,
  goods: readonly Goods[],
  playerId: PlayerId,
): Promise<Buyer> {
  const session = await openSession(db, {
    playerId,
    brandKey: BRAND,
    kind: 'web',
    authMethod: 'password',
    replaces: null,
  });
  const headers = {
    host,
    'content-type': 'application/json',
    'x-refill': '1',
    'sec-fetch-site': 'same-origin',
    cookie: `${COOKIE}=${session.token}`,
  };
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
