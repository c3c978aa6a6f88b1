// Payment channels in the wire's own shape. Pure.
import type { Texts } from '#contracts/files.ts';
import type { PaymentOption, SubPaymentOption } from '#contracts/payments.ts';
import type { Language } from '#kernel/languages.ts';
import { type Money, money, toDecimal } from '#kernel/money.ts';
import type { Channel, SubChannel } from '#server/modules/configuration/service.ts';
import { type ChannelView, boundsOf } from './rules.ts';

/** @source specification section 3, "Payment option" */
export function toOption({ channel, subs }: ChannelView, price: Money, language: Language): PaymentOption {
  return {
    ...describe(channel, channel, price, language),
    sub_payment: subs.map((sub) => describe(sub, channel, price, language)),
  };
}

function describe(entry: Channel | SubChannel, channel: Channel, price: Money, language: Language): SubPaymentOption {
  const { file } = entry;
  const bounds = boundsOf(entry, price.currency);
  const least = boundText(bounds.min, price);
  const most = boundText(bounds.max, price);
  const own = (texts: Texts | undefined) => (texts ? (texts[language] ?? texts.en) : '');
  return {
    payway_id: channel.file.payway,
    channel_id: file.channelId,
    key: entry.key,
    pay_id: channel.file.id,
    name: own(file.name),
    icon: `/channels/${file.icon}`,
    sort: file.sort,
    min_money: least,
    max_money: most,
    min: least,
    max: most,
    description: JSON.stringify(file.hint ?? {}),
    hint: own(file.hint),
    open_coupon: file.openCoupon,
    pay_path: channel.file.payPath,
  };
}

/** "0" stands for no bound, as the specification's price filter reads it. */
function boundText(bound: number | null, { currency }: Money): string {
  return toDecimal(money(bound ?? 0, currency));
}
