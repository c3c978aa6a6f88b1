// The methods for one product in one place, grouped for this player and device, with what is chosen among them.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SubPaymentOption } from '#contracts/payments.ts';
import { walletRoutes } from '#contracts/wallet.ts';
import { isCurrency, parseDecimal } from '#kernel/money.ts';
import { restoreChannel, useChosenChannel } from '#web/features/payments/chosen-channel.ts';
import { type ChannelPlace, useChannels } from '#web/features/payments/queries.ts';
import { tenderOf, takesCoupon } from '#web/features/payments/rules.ts';
import { read } from '#web/platform/calls/query.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { loadText } from '#web/platform/visitor/storage.ts';
import { devicePay } from './device-pay.ts';
import { type Choice, findChoice, groupMethods, keyOfChoice, type MethodView, viewMethods } from './method-rules.ts';

/** The balance in the store: as text, and whether it pays this price. Null while it is not known. */
export type BalanceView = { shown: string; isEnough: boolean } | null;

/** @param dueMinor what is to pay with the chosen coupon, in minor units; null without one */
export function useMethods(place: ChannelPlace, dueMinor: number | null = null) {
  const channels = useChannels(place);
  const chosen = useChosenChannel();
  const methods = channels.data ? viewMethods(channels.data.methods, channels.data.regions, devicePay()) : [];
  const remembered = loadText('payMethod');
  const groups = groupMethods(methods, remembered);
  const choice = findChoice(methods, chosen);
  const balance = useBalance(place, dueMinor, methods.find(isBalance)?.route ?? null);
  const { last } = groups;
  const first = choice === null && last ? keyOfLast(last, remembered, balance) : '';
  // The method of the last payment is chosen already: the next press pays.
  useEffect(() => {
    if (first !== '') restoreChannel(first);
  }, [first]);
  return { channels, groups, choice, balance, count: methods.length };
}

export type Methods = ReturnType<typeof useMethods>;

export const isBalance = ({ route }: MethodView): boolean => tenderOf(route?.pay_path ?? '') === 'balance';

/**
 * Empty where a press would not pay yet: a card to type in, a balance that is too small, a second
 * choice not made, a provider away.
 */
function keyOfLast(last: MethodView, remembered: string, balance: BalanceView): string {
  if (!last.route || tenderOf(last.route.pay_path) === 'card') return '';
  if (isBalance(last)) return balance?.isEnough ? last.key : '';
  if (last.seconds.length === 0) return last.key;
  const second = findChoice([last], last.second === '' ? remembered : keyOfChoice(last.key, last.second))?.second;
  return second ? keyOfChoice(last.key, second.key) : '';
}

export function useBalances(isAsked: boolean) {
  const user = useUser();
  return useQuery({
    queryKey: ['balances', user?.suid ?? ''],
    queryFn: ({ signal }) => read(walletRoutes.balance, {}, signal),
    enabled: isAsked && user !== null,
  });
}

function useBalance(
  { price, currency }: ChannelPlace,
  dueMinor: number | null,
  route: SubPaymentOption | null,
): BalanceView {
  const balances = useBalances(route !== null);
  if (!balances.data || !isCurrency(currency)) return null;
  const own = balances.data.list.find((one) => one.currency === currency);
  const isReduced = dueMinor !== null && takesCoupon(route, dueMinor, currency);
  const needed = isReduced ? dueMinor : (parseDecimal(price, currency)?.amountMinor ?? 0);
  return { shown: own && own.total_minor > 0 ? own.total_shown : '', isEnough: (own?.total_minor ?? 0) >= needed };
}

/** Name of what is chosen, as bar and receipt show it; empty while nothing is, or while it does not fit. */
export function nameOfChoice(choice: Choice | null): string {
  return choice?.second?.name ?? choice?.method.name ?? '';
}
