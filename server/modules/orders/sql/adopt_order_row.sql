-- The row of an order that a restored database does not know, from facts as recovery_facts makes them: not paid yet,
-- and in the one state from which a payment is booked as if it came at once, and which no unpaid order of the same
-- goods stands against.
create or replace function adopt_order_row(p_player_id uuid, p_billing_no text, p_facts jsonb) returns void
  language plpgsql as $$
begin
  insert into orders (player_id, billing_no, brand_key, game_id, client_id, product_id, server_id, server_name,
      area_id, role_id, role_name, suid, username, product, amount_minor, discount_minor, coupon_code, currency,
      region, country, language, state, review_reason, current_attempt, created_at, expires_at, accepted, points,
      promo_code, creator, share_minor, replenish_id)
    select p_player_id, p_billing_no, p_facts ->> 'brand_key', p_facts ->> 'game_id', p_facts ->> 'client_id',
      p_facts ->> 'product_id', p_facts ->> 'server_id', coalesce(r.server_name, ''), p_facts ->> 'area_id',
      p_facts ->> 'role_id', coalesce(r.name, ''), p_facts ->> 'suid', w.username, p_facts -> 'product',
      (p_facts ->> 'amount_minor')::bigint, (p_facts ->> 'discount_minor')::bigint, p_facts ->> 'coupon_code',
      p_facts ->> 'currency', p_facts ->> 'region', p_facts ->> 'country', p_facts ->> 'language', 'review',
      'payment_unreadable', (p_facts #>> '{attempt,attempt_no}')::integer,
      to_timestamp((p_facts ->> 'created_at')::numeric), now(), p_facts -> 'accepted',
      (p_facts ->> 'points')::bigint, p_facts ->> 'promo_code', p_facts ->> 'creator',
      (p_facts ->> 'share_minor')::bigint, p_facts ->> 'replenish_id'
    from player w left join player_role r on r.player_id = w.player_id and r.client_id = p_facts ->> 'client_id'
      and r.server_id = p_facts ->> 'server_id' and r.area_id = p_facts ->> 'area_id'
      and r.role_id = p_facts ->> 'role_id'
    where w.player_id = p_player_id;
  insert into order_lookup (billing_no, player_id) values (p_billing_no, p_player_id);
end $$;
