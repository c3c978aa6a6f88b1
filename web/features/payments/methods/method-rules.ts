// Methods as the page shows them: which there are for this price and device, in which groups, and
// what a choice leads to. Pure.
import type { PaymentMethod, PaymentOption, SubPaymentOption } from '#contracts/payments.ts';
import type { ChannelRegion } from '#web/features/payments/rules.ts';

export type MethodView = PaymentMethod & {
  /** The channel that pays it; null while no provider of it answers. */
  route: SubPaymentOption | null;
  /** The player chooses one of these inside the route before it can be paid; empty for no choice. */
  seconds: SubPaymentOption[];
  /**
   * Keys of every listed option that it could be paid by: an earlier order may have been
   * paid by another than the route.
   */
  optionKeys: string[];
};

/** The device can pay these by itself. */
export type DevicePay = { readonly applePay: boolean; readonly googlePay: boolean };

/**
 * The methods to show. One whose route the rule of channels does not list is left out, and so is
 * one that the device cannot do.
 * @param regions the channels as `listRegions` leaves them
 */
export function viewMethods(
  methods: readonly PaymentMethod[],
  regions: readonly ChannelRegion[],
  device: DevicePay,
): MethodView[] {
  const options = regions.flatMap((region) => region.channels);
  return methods.flatMap((method): MethodView[] => {
    if (method.device !== '' && !device[method.device]) return [];
    const optionKeys = options.flatMap((option) => keysIn(option, method.key));
    if (method.option === '') return [{ ...method, route: null, seconds: [], optionKeys }];
    const found = findRoute(options, method);
    return found ? [{ ...method, ...found, optionKeys }] : [];
  });
}

function keysIn(option: PaymentOption, method: string): string[] {
  const own = option.method === method;
  const inside = option.sub_payment.filter((sub) => (sub.method === '' ? own : sub.method === method));
  return [...(own ? [option.key] : []), ...inside.map((sub) => sub.key)];
}

function findRoute(
  options: readonly PaymentOption[],
  method: PaymentMethod,
): Pick<MethodView, 'route' | 'seconds'> | null {
  for (const option of options) {
    if (option.key === method.option && option.method === method.key)
      return { route: option, seconds: option.sub_payment.filter((sub) => sub.method === '') };
    const sub = option.sub_payment.find((one) => one.key === method.option);
    if (sub) return { route: sub, seconds: [] };
  }
  return null;
}

export type MethodGroups = {
  /** The method of the player's last payment. */
  last: MethodView | null;
  /** The device pays these by itself, in one step. */
  express: MethodView[];
  /** Usual where the player is. */
  usual: MethodView[];
  more: MethodView[];
};

/** Our choice: one or two rows are not worth a fold. */
const FOLD_FROM = 3;

/** @param remembered key of the method that this browser paid with before, for players whom the server does not know */
export function groupMethods(methods: readonly MethodView[], remembered: string): MethodGroups {
  const last =
    methods.find(({ group }) => group === 'last') ?? methods.find(({ key }) => key === methodOf(remembered)) ?? null;
  const others = methods.filter((method) => method !== last);
  const express = others.filter(({ device, route }) => device !== '' && route !== null);
  const rows = others.filter((method) => !express.includes(method));
  const more = rows.filter(({ group }) => group === 'more');
  const isFolded = more.length >= FOLD_FROM && more.length < rows.length;
  return {
    last,
    express,
    usual: isFolded ? rows.filter((row) => !more.includes(row)) : rows,
    more: isFolded ? more : [],
  };
}

export type Choice = {
  method: MethodView;
  /** The second choice that was made inside the route. */
  second: SubPaymentOption | null;
  /** The pay call is made with this; null while a second choice is missing, or no provider answers. */
  option: SubPaymentOption | null;
};

/** The choice as one text: a method, or a method and what was chosen inside it. */
export const keyOfChoice = (method: string, second = ''): string => (second === '' ? method : `${method}/${second}`);

const methodOf = (chosen: string): string => chosen.split('/', 1)[0] ?? '';

/**
 * Finds the present choice of a kept text; null when that is not offered any more. @param chosen see `keyOfChoice`; or
 * key of an option
 */
export function findChoice(methods: readonly MethodView[], chosen: string): Choice | null {
  if (chosen === '') return null;
  const [key, wanted = ''] = chosen.split('/');
  const method = methods.find((one) => one.key === key) ?? methods.find((one) => one.optionKeys.includes(chosen));
  if (!method) return null;
  const second = method.seconds.find((one) => one.key === wanted || one.key === chosen) ?? null;
  return { method, second, option: method.seconds.length > 0 ? second : method.route };
}
