// Puts an order that was just placed into the shape of the poll.
import type { BillingInfo } from '#contracts/orders.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import type { OrderParts } from './order-view.ts';

/** Builds the view of an order the moment it was placed: everything but the facts that only the server has. */
export function viewPlaced(
  placed: { billingNo: string; url: string },
  parts: OrderParts,
  order: OrderView,
  channelName: string,
): BillingInfo {
  return {
    billing_no: placed.billingNo,
    status: -1,
    stage: 'unpaid',
    user_name: '',
    game_name: order.game,
    game_server_name: order.server,
    role_name: order.character,
    product_name: order.product?.title ?? '',
    product_id: parts.goods?.value ?? '',
    client_id: parts.game?.client_id ?? '',
    art: parts.goods?.art ?? '',
    amount: parts.goods?.amount ?? 0,
    // Told once it is delivered.
    bonus_amount: 0,
    bonus: '',
    first_bonus: '',
    promo_code: '',
    off_shown: '',
    ...(parts.goods?.picture && { picture: parts.goods.picture }),
    price_shown: order.price,
    channel_name: channelName,
    url: placed.url,
    is_declined: false,
    created_at: Date.now(),
    paid_at: 0,
    delivering_at: 0,
    delivered_at: 0,
    refunded_at: 0,
  };
}
