-- Builds an outgoing webhook's data about an order: the player by our own id alone, no name, no character, no address.
-- Of the reason of a review the first word only: what follows it is a game's own text.
create or replace function order_event_data(p_order orders) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'billing_no', p_order.billing_no, 'player_id', p_order.player_id, 'brand', p_order.brand_key,
    'game', p_order.game_id, 'product_id', p_order.product_id, 'country', p_order.country,
    'amount_minor', p_order.amount_minor, 'currency', p_order.currency, 'refunded_minor', p_order.refunded_minor,
    'state', p_order.state, 'review_reason', split_part(p_order.review_reason, ':', 1),
    'created_at', p_order.created_at, 'paid_at', p_order.paid_at, 'delivered_at', p_order.delivered_at,
    'refunded_at', p_order.refunded_at)
$$;
