// Persons who were erased, who want to be, and who took it back; and an account that came again.
import type { BrandKey } from '#kernel/ids.ts';
import { addIdentity } from '#server/modules/accounts/logins/identity-store.ts';
import { ensurePlayer } from '#server/modules/accounts/store.ts';
import { askErasure, withdrawErasure } from '#server/modules/privacy/erasing/erasure-store.ts';
import { erase } from '#server/modules/privacy/service.ts';
import { giveTestBalance } from '#testing/balances.ts';
import type { TestShop } from '#testing/shop.ts';
import { placeDelivered } from './fill-acts.ts';

const brandKey = 'watt' as BrandKey;
const noOf = (letter: string) => `ER-${letter.repeat(26)}`;

export async function fillErased(shop: TestShop): Promise<void> {
  const { db } = shop;
  const { player } = await placeDelivered(shop);
  const { playerId, suid, username } = player;
  const google = { brandKey, provider: 'google', subject: 'g-erased' };
  await addIdentity(db, google, playerId);
  await addIdentity(db, { brandKey, provider: 'apple', subject: 'a-erased' }, playerId);
  await giveTestBalance(db, playerId, 300);
  await askErasure(db, { playerId, erasureNo: noOf('A'), givesUpBalance: true, waitDays: 0 });
  const answer = await erase(db, { playerId, givesUpBalance: true, by: 'player' });
  if (answer.outcome !== 'erased') throw new Error(`not erased: ${JSON.stringify(answer)}`);
  await ensurePlayer(db, { ...google, suid, username });

  const waits = await shop.logIn();
  await askErasure(db, { playerId: waits.playerId, erasureNo: noOf('B'), givesUpBalance: false, waitDays: 7 });
  const stays = await shop.logIn();
  await askErasure(db, { playerId: stays.playerId, erasureNo: noOf('C'), givesUpBalance: false, waitDays: 7 });
  await withdrawErasure(db, stays.playerId);
}
