// Chooses the internal tender, which pays an order without a provider: a stored balance or a prepaid card.
import type { PayInput } from '#contracts/payments.ts';
import { brandOf } from '#server/modules/games/service.ts';
import type { HashedCard } from '#server/modules/giftcards/service.ts';
import type { ChosenChannel } from '#server/modules/payments/service.ts';
import type { InternalTender } from '#server/modules/orders/store.ts';
import type { PlayerCaller } from '#server/platform/http/http.ts';
import { networkOf } from '#server/platform/limits/address-limits.ts';
import type { PlaceDeps } from './place-deps.ts';

/** The tender of a channel that asks nobody outside; null for all others, `refused` for a card that cannot be read. */
export function readTender(
  deps: PlaceDeps,
  caller: PlayerCaller,
  input: PayInput,
  { channel, account }: ChosenChannel,
): InternalTender | 'refused' | 'mistyped' | null {
  if (account.provider.internalTender === 'wallet')
    return { kind: 'wallet', spends: brandOf(deps.configuration(), caller).file.walletSpends ?? 'free_first' };
  if (account.provider.internalTender !== 'card') return null;
  const card = deps.giftCards.readCard(input.card_info ?? '');
  // The rest of a card that is worth more than the goods goes into the balance, where there are balances.
  const keepsRest = deps.payments.account('wallet') !== null;
  if (card?.isMistyped) return 'mistyped';
  return card ? cardTender(caller, card, 'pay', channel.file.id, keepsRest) : 'refused';
}

/** @param keepsRest the card may be worth more than the order */
export function cardTender(
  caller: PlayerCaller,
  card: HashedCard,
  purpose: 'pay' | 'confirm',
  channel: string,
  keepsRest: boolean,
): InternalTender {
  return {
    kind: 'card',
    purpose,
    channel,
    card_id: card.cardId,
    card_key: card.cardKey,
    password_hmac: card.passwordHmac,
    network: networkOf(caller.ip),
    keeps_rest: keepsRest,
  };
}
