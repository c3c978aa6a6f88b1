// The simulated outside, by its control calls: how a provider or a game is made to fail, and what a game has received.
import type { Page } from '@playwright/test';
import { runningShop } from './running-shop.ts';

export type Provider = 'paypal' | 'xsolla' | 'adyen';

export type Grant = {
  billing_no: string;
  game: string;
  user_id: string;
  role_id: string;
  role_name: string;
  product_id: string;
  receipt_id: string;
  repeated: number;
  paid: { amount: string; currency: string } | null;
};

async function call<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${runningShop().simulatorsUrl}${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} of the simulators answered ${answer.status}.`);
  return (await answer.json()) as Answer;
}

/** Reads the grants that the games hold for an order: one once it was delivered, none before. */
export async function grantsOf(billingNo: string): Promise<Grant[]> {
  const { grants } = await call<{ grants: Grant[] }>('GET', `/game/inbox.json?billing_no=${billingNo}`);
  return grants;
}

// Faults concern the calls for one player, so that flows can run side by side.

/** Games answer 503 until they are told otherwise, or for `seconds`. */
export async function stopGames(player: string, seconds?: number): Promise<void> {
  await call('POST', '/control/game/faults', {
    kind: 'down',
    user: player,
    ...(seconds === undefined ? {} : { seconds }),
  });
}

/** Games decline what they are asked before money is taken, until they are told otherwise. */
export async function declineInGames(player: string): Promise<void> {
  await call('POST', '/control/game/faults', { kind: 'decline', user: player, reason: 'role_not_found' });
}

/** Calls of a game take longer. */
export async function slowGames(player: string, ms: number): Promise<void> {
  await call('POST', '/control/game/faults', { kind: 'latency', user: player, ms });
}

export async function mendGames(player: string): Promise<void> {
  await call('DELETE', `/control/game/faults?user=${player}`);
}

/** Callbacks that a provider has sent for an order so far, whatever the shop answered. */
export async function callbacksOf(provider: Provider, billingNo: string): Promise<unknown[]> {
  const { recentCallbacks } = await call<{ recentCallbacks: { reference?: string }[] }>(
    'GET',
    `/control/${provider}?limit=500`,
  );
  return recentCallbacks.filter((callback) => callback.reference?.startsWith(billingNo) === true);
}

/** Completes what was to be paid later, now. @param billingNo of an order with one payment */
export async function settleLater(provider: Provider, billingNo: string): Promise<void> {
  await call('POST', `/control/${provider}/settle`, { reference: `${billingNo}-1` });
}

/** Blocks a player in a game, as it does after a chargeback. */
export async function blockInGame(game: string, player: string): Promise<void> {
  await call('POST', '/control/game/block', { game, user_id: player });
}

export async function isBlockedInGame(game: string, player: string): Promise<boolean> {
  const { blocked } = await call<{ blocked: boolean }>('GET', `/control/game/player?game=${game}&user_id=${player}`);
  return blocked;
}

type GameChoice = { brand: string; client: string; user: string; lang: string };

/** The sample game, played by `user` of the brand's shop: one that the brand sells for. */
export async function openGame(page: Page, choice: GameChoice): Promise<void> {
  await page.goto(`${runningShop().simulatorsUrl}/sample-game?${new URLSearchParams(choice).toString()}`);
}
