// Puts goods, receiver and channel into the words of one order.
import type { FirstBonus, Goods, ThirdGift } from '#contracts/catalogue.ts';
import type { RoleItem } from '#contracts/games.ts';
import { nameOfGifts } from '#web/features/catalogue/goods-name.ts';
import type { GameChoice } from '#web/features/games/rules.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';

export type OrderParts = {
  goods: Goods | null;
  /** The bonus that the first purchase of the goods brings this player; null: none. */
  first: FirstBonus | null;
  gifts: readonly ThirdGift[];
  game: GameChoice | null;
  role: RoleItem | null;
};

export function viewOrder({ goods, first, gifts, game, role }: OrderParts): OrderView {
  return {
    product: goods && {
      title: goods.display,
      gift: nameOfGifts(gifts.filter((gift) => gift.product_id === goods.value)) || goods.description,
      parts: goods.bundle?.parts,
      first: first?.shown ?? '',
      art: goods.art,
      picture: goods.picture,
    },
    game: game?.name ?? '',
    character: role?.display ?? '',
    server: role?.server_name ?? '',
    price: goods?.price_shown ?? '',
    listPrice: goods?.list_price_shown ?? '',
  };
}
