// Players who are logged in and know what they may buy; made in the database, for how one logs in is
// not what these tests are about.
import { randomUUID } from 'node:crypto';
import type { PlayerId } from '#kernel/ids.ts';
import { localDemoHost } from '#server/modules/configuration/configuration.ts';
import { loadConfiguration } from '#server/modules/configuration/service.ts';
import { query } from '#server/platform/database/db.ts';
import { openSession } from '#server/platform/http/session.ts';
import { BRAND, listGoods, listOrderBodies } from '#bench/money-path/buyers.ts';
import type { ChaosShop } from './shop.ts';

export type Player = {
  readonly playerId: PlayerId;
  readonly provider: 'adyen' | 'xsolla';
  readonly headers: Readonly<Record<string, string>>;
  /** Bodies of pay calls, taken in turn. */
  readonly orders: readonly string[];
  next: number;
};

/** @param gameId only what is sold for this game */
export async function makePlayers(
  shop: ChaosShop,
  count: number,
  options: { providers?: readonly Player['provider'][]; gameId?: string } = {},
): Promise<Player[]> {
  const configuration = await loadConfiguration(shop.db);
  const host = `${localDemoHost(BRAND)}:${shop.front.port}`;
  const providers = options.providers ?? (['adyen', 'xsolla'] as const);
  const goods = new Map<string, Awaited<ReturnType<typeof listGoods>>>();
  for (const provider of providers) {
    const all = await listGoods(shop.server, configuration, host, provider);
    const isWanted = (clientId: string) =>
      options.gameId === undefined || configuration.gameOfClient(clientId)?.game.id === options.gameId;
    goods.set(
      provider,
      all.filter((one) => isWanted(one.clientId)),
    );
  }
  return Promise.all(
    Array.from({ length: count }, async (_, index): Promise<Player> => {
      const provider = providers[index % providers.length] ?? 'adyen';
      const { playerId, headers } = await logIn(shop, `chaos-${randomUUID().slice(0, 8)}-${index}`, host);
      const orders = await listOrderBodies(shop.server, headers, goods.get(provider) ?? []);
      if (orders.length === 0) throw new Error(`nothing can be bought by ${provider}`);
      return { playerId, provider, headers, orders, next: index };
    }),
  );
}

/** A new account with a session. Its name is what the games know it by. */
export async function logIn(shop: ChaosShop, name: string, host: string) {
  const playerId = randomUUID() as PlayerId;
  await query(
    shop.db,
    'chaos_player',
    'insert into player (player_id, brand_key, suid, username) values ($1, $2, $3, $3)',
    [playerId, BRAND, name],
  );
  const { token } = await openSession(shop.db, {
    playerId,
    brandKey: BRAND,
    kind: 'web',
    authMethod: 'password',
    replaces: null,
  });
  return { playerId, headers: headersOf(host, token) };
}

export function headersOf(host: string, token: string): Record<string, string> {
  return { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}
