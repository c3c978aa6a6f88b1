// Makes rows beside orders for a restored backup: daily rewards of events, money whose goods never went out, and a
// person who was erased.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BRAND } from '#bench/money-path/buyers.ts';
import { localDemoHost } from '#server/modules/configuration/configuration.ts';
import { query } from '#server/platform/database/db.ts';
import { EMBER_CLIENT } from '#testing/events.ts';
import { control, payForSure, placeForSure } from './buy.ts';
import { logIn } from './players.ts';
import type { ChaosShop } from './shop.ts';
import type { Buyer } from './tenders.ts';
import { readGame } from './verdict.ts';

const TIMEOUT_MS = 30_000;
const isReward = (key: string): boolean => key.startsWith('RW-');

/** Numbers of rewards that games have handed over. */
export const readRewards = async (shop: ChaosShop): Promise<string[]> => (await readGame(shop)).keys.filter(isReward);

/** Presses "receive" of today's reward. @returns the answer's code; the reward may be on its way */
async function press(shop: ChaosShop, { orders, player }: Buyer): Promise<number> {
  const character = orders['adyen']?.find((body) => body['client_id'] === EMBER_CLIENT);
  if (!character) throw new Error('a buyer has no character in Emberfall');
  const response = await shop.server.request({
    method: 'POST',
    path: '/api/cumulative/receiveActivityGift',
    headers: { ...player.headers },
    body: JSON.stringify({
      client_id: EMBER_CLIENT, type: 'daily', activity_id: 'ember_campfire', gift_id: 'all',
      server_id: character['server_id'], role_id: character['role_id'], areaId: character['areaId'],
    }) /* a row a line */, // prettier-ignore
  });
  return ((await response.body.json()) as { code: number }).code;
}

/** Each buyer receives today's reward, and has it in the game. */
export async function receiveRewards(shop: ChaosShop, buyers: readonly Buyer[]): Promise<void> {
  const wanted = (await readRewards(shop)).length + buyers.length;
  for (const buyer of buyers) {
    const code = await press(shop, buyer);
    if (code !== 1) throw new Error(`a reward was refused: code ${code}`);
  }
  for (const deadline = performance.now() + TIMEOUT_MS; (await readRewards(shop)).length < wanted; await sleep(50))
    if (performance.now() > deadline) throw new Error('a reward did not reach its game');
  // The game's yes is written behind it.
  await sleep(500);
}

/** Presses once more, and waits as long as a reward takes. */
export async function pressAgain(shop: ChaosShop, buyers: readonly Buyer[]): Promise<void> {
  for (const buyer of buyers) await press(shop, buyer);
  await sleep(2500);
}

export type Undelivered = { readonly billingNo: string; readonly body: Readonly<Record<string, unknown>> };

/** Paid at Xsolla while the games are away: nobody outside the shop knows what for. */
export async function payUndelivered(shop: ChaosShop, buyer: Buyer): Promise<Undelivered> {
  const body = buyer.orders['xsolla']?.[0];
  if (!body) throw new Error('nothing can be bought by xsolla');
  const player = { ...buyer.player, provider: 'xsolla' as const };
  const text = JSON.stringify(body);
  const placed = await placeForSure(shop, player, randomUUID(), text);
  await control(shop, '/control/game/faults', { kind: 'down' });
  const { billingNo } = await payForSure(shop, player, { body: text, billingNo: placed });
  for (const deadline = performance.now() + TIMEOUT_MS; ; await sleep(50)) {
    const [row] = await query<{ paid: boolean }>(
      shop.db,
      'chaos_is_paid',
      'select paid_at is not null as paid from orders where player_id = $1 and billing_no = $2',
      [player.playerId, billingNo],
    );
    if (row?.paid) return { billingNo, body };
    if (performance.now() > deadline) throw new Error(`${billingNo} was not paid`);
  }
}

export const endFaults = (shop: ChaosShop): Promise<void> =>
  shop.simulators.request({ method: 'DELETE', path: '/control/game/faults' }).then(({ body }) => body.dump());

/** Somebody whom the backup knows. @returns player_id */
export async function makeLeaver(shop: ChaosShop): Promise<string> {
  const { playerId } = await logIn(
    shop,
    `leaver-${randomUUID().slice(0, 8)}`,
    `${localDemoHost(BRAND)}:${shop.front.port}`,
  );
  return playerId;
}

export async function isErased(shop: ChaosShop, playerId: string): Promise<boolean> {
  const text = 'select erased_at is not null as erased from player where player_id = $1';
  const [row] = await query<{ erased: boolean }>(shop.db, 'chaos_erased', text, [playerId]);
  return row?.erased === true;
}
