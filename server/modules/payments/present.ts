// Payment channels in the wire's own shape. Pure.
import type { PaymentOption, SubPaymentOption } from '#contracts/payments.ts';
import { type Money, money, toDecimal } from '#kernel/money.ts';
import type { Channel, ChannelBounds, Display, SubChannel } from '#server/modules/configuration/service.ts';
import type { ChannelView } from './rules.ts';

/** @source specification section 3, "Payment option" */
export function toOption({ channel, subs }: ChannelView, price: Money, display: Display): PaymentOption {
  return {
    ...describe(channel, channel, price, display),
    sub_payment: subs.map((sub) => describe(sub, channel, price, display)),
  };
}

function describe(entry: Channel | SubChannel, channel: Channel, price: Money, display: Display): SubPaymentOption {
  const { file } = entry;
  const bounds = entry.bounds.get(price.currency);
  return {
    payway_id: channel.file.payway,
    channel_id: file.channelId,
    key: entry.key,
    pay_id: channel.file.id,
    name: display.text(file.name),
    icon: `/channels/${file.icon}`,
    sort: file.sort,
    min_money: boundText(bounds, 'min', price),
    max_money: boundText(bounds, 'max', price),
    description: JSON.stringify(file.hint ?? {}),
    hint: display.text(file.hint),
    open_coupon: file.openCoupon,
    pay_path: channel.file.payPath,
  };
}

/** "0" stands for no bound, as the specification's price filter reads it. */
function boundText(bounds: ChannelBounds | undefined, side: 'min' | 'max', price: Money): string {
  return toDecimal(bounds?.[side] ?? money(0, price.currency));
}
