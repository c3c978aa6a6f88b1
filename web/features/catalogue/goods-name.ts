// How goods are called in a line of text, the same on the card, in the order and in the popups.
import { listIn } from '#kernel/languages.ts';
import type { FirstBonus, ThirdGift } from '#contracts/catalogue.ts';
import { countIn, currentLanguage, t } from '#web/platform/i18n.ts';

/** "+128 Crystals, +1 Skin shard" */
export function nameOfGifts(gifts: readonly ThirdGift[]): string {
  return listIn(
    currentLanguage(),
    gifts.map((gift) => `+${countIn(gift.count)} ${gift.name}`),
  );
}

/** "First time ×2", or what it is. */
export function tellFirst({ times, shown }: FirstBonus): string {
  return times > 0 ? t('goods.first_times', { times }) : t('goods.first_bonus', { bonus: shown });
}
