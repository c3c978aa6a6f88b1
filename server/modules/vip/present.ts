// The VIP programme in the wire's own shapes. Pure.
import type { LevelCouponInfo, VipBasicInfo } from '#contracts/vip.ts';
import { isCurrency, money, toDecimal } from '#kernel/money.ts';
import type { Display, LevelCoupon, Vip } from '#server/modules/configuration/service.ts';

/** @param first the currency whose rate comes first; those of the others follow in the order of the file */
export function toBasicInfo(vip: Vip, first: string, display: Display): VipBasicInfo {
  const rates = [...vip.rates].map(([currency, rate]) => {
    const coin = money(rate.per_minor, currency);
    return { currency, coin: toDecimal(coin), coin_shown: display.money(coin), points: rate.points };
  });
  return {
    point_to_coin: rates.toSorted((a, b) => Number(b.currency === first) - Number(a.currency === first)),
    faq_title: display.text(vip.faq.title),
    faq_content: display.text(vip.faq.content),
    vip_level_infos: vip.levels.map((level) => ({
      level_id: level.id,
      level_name: display.text(level.name),
      level_show: level.show,
      need_points: level.needPoints,
      coupons_list: level.coupons.map((coupon) => toCouponInfo(coupon, display)),
    })),
  };
}

function toCouponInfo(coupon: LevelCoupon, display: Display): LevelCouponInfo {
  return {
    id: coupon.id,
    type: coupon.type,
    name: JSON.stringify(coupon.name),
    name_shown: display.text(coupon.name),
    discount_rate: coupon.rate,
    days: coupon.days ?? 0,
    min_spend_shown: Object.fromEntries(
      Object.entries(coupon.minSpend).flatMap(([currency, minor]) =>
        isCurrency(currency) ? [[currency, display.money(money(minor, currency))]] : [],
      ),
    ),
  };
}
