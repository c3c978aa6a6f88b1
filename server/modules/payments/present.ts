// Payment channels and methods in the wire's own shape. Pure.
import type { PaymentMethod, PaymentOption, SubPaymentOption } from '#contracts/payments.ts';
import type { MethodHint } from '#contracts/channels-file.ts';
import { type Money, money, toDecimal } from '#kernel/money.ts';
import type { Channel, Display, SubChannel } from '#server/modules/configuration/service.ts';
import { type LastPaid, type MethodGroup, type MethodView, type Route, keyOfRoute } from './methods-rules.ts';
import type { MethodTexts } from './method-texts.ts';
import { type ChannelView, boundsOf } from './rules.ts';

/** @source specification section 3, "Payment option" */
export function toOption(
  { channel, subs }: ChannelView,
  price: Money,
  display: Display,
  texts: MethodTexts,
): PaymentOption {
  return {
    ...describe(channel, channel, price, display, texts),
    sub_payment: subs.map((sub) => describe(sub, channel, price, display, texts)),
  };
}

function describe(
  entry: Channel | SubChannel,
  channel: Channel,
  price: Money,
  display: Display,
  texts: MethodTexts,
): SubPaymentOption {
  const { file } = entry;
  const bounds = boundsOf(entry, price.currency);
  const least = boundText(bounds.min, price);
  const most = boundText(bounds.max, price);
  const hint = texts.hintOf(hintOf(entry, channel, texts));
  return {
    payway_id: channel.file.payway,
    channel_id: file.channelId,
    key: entry.key,
    pay_id: channel.file.id,
    name: display.text(texts.nameOf(channel, entry === channel ? null : (entry as SubChannel))),
    icon: `/channels/${file.icon}`,
    sort: file.sort,
    min_money: least,
    max_money: most,
    min: least,
    max: most,
    method: entry.method ?? '',
    description: JSON.stringify(hint ?? {}),
    hint: display.text(hint ?? undefined),
    open_coupon: file.openCoupon,
    pay_path: channel.file.payPath,
  };
}

/** @param route the one that is fixed, null while no provider answers */
export function toMethod(
  { group, view }: { group: MethodGroup; view: MethodView },
  route: Route | null,
  last: LastPaid | null,
  display: Display,
  texts: MethodTexts,
): PaymentMethod {
  const { method, routes } = view;
  const { channel, sub, seconds } = route ?? routes[0];
  const hint = texts.hintOf(hintOf(sub ?? channel, channel, texts) ?? method.hint);
  const again = group === 'last' ? seconds.find(({ key }) => key === last?.channelKey) : undefined;
  return {
    key: method.key,
    name: display.text(texts.nameOfMethod(method)),
    mark: method.mark === null ? '' : `/channels/${method.mark}`,
    networks: (method.networks ?? []).map((file) => `/channels/${file}`),
    hint: display.text(hint ?? undefined),
    group,
    device: method.device ?? '',
    option: route ? keyOfRoute(route) : '',
    second: again?.key ?? '',
  };
}

/** Returns the entry's own hint, else its channel's where that is no method of its own, else its method's. */
function hintOf(entry: Channel | SubChannel, channel: Channel, texts: MethodTexts): MethodHint | undefined {
  const around = entry.method === null ? channel.file.hint : undefined;
  return entry.file.hint ?? around ?? texts.methodOf(entry.method)?.hint;
}

/** "0" stands for no bound, as the specification's price filter reads it. */
function boundText(bound: number | null, { currency }: Money): string {
  return toDecimal(money(bound ?? 0, currency));
}
