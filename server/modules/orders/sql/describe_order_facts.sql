-- describe_paid_order where the caller has read logins and reservations as well (null: none), as it does for a batch in
-- one statement.
create or replace function describe_order_facts(
  p_order orders, p_attempt payment_attempt, p_identities jsonb, p_reservations jsonb
) returns jsonb language plpgsql stable as $$
declare
  v_coupon jsonb;
  v_replenish jsonb;
  v_tender jsonb;
begin
  if p_order.coupon_code is not null then
    select jsonb_build_object('name', c.name, 'discount_rate', c.discount_rate, 'source', c.source,
        'issue_key', c.issue_key, 'valid_end', c.valid_end)
      into v_coupon from coupon c where c.player_id = p_order.player_id and c.code = p_order.coupon_code;
  end if;
  if p_order.replenish_id is not null then
    select jsonb_build_object('reason', p.reason, 'opened_by', p.opened_by, 'reference', p.reference,
        'expires_at', p.expires_at)
      into v_replenish from replenish p where p.replenish_id = p_order.replenish_id;
  end if;
  if p_attempt.provider = 'wallet' then
    select jsonb_build_object('kind', 'wallet', 'spends', t.spends,
        'free_minor', coalesce(-sum(e.amount_minor) filter (where e.kind = 'free'), 0),
        'paid_minor', coalesce(-sum(e.amount_minor) filter (where e.kind = 'paid'), 0))
      into v_tender from wallet_txn t join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
      where t.player_id = p_order.player_id and t.billing_no = p_order.billing_no and t.type = 'debit'
      group by t.spends;
  elsif p_attempt.provider = 'card' then
    select jsonb_build_object('kind', 'card', 'card_id', g.card_id, 'rest_minor', g.rest_minor)
      into v_tender from gift_card g where g.card_id = p_attempt.capture_ref and g.billing_no = p_order.billing_no;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'player_id', p_order.player_id, 'billing_no', p_order.billing_no, 'brand_key', p_order.brand_key,
    'game_id', p_order.game_id, 'client_id', p_order.client_id, 'product_id', p_order.product_id,
    'server_id', p_order.server_id, 'area_id', p_order.area_id, 'role_id', p_order.role_id, 'suid', p_order.suid,
    'product', p_order.product, 'amount_minor', p_order.amount_minor, 'discount_minor', p_order.discount_minor,
    'currency', p_order.currency, 'region', p_order.region, 'country', p_order.country,
    'language', p_order.language, 'coupon_code', p_order.coupon_code, 'promo_code', p_order.promo_code,
    'creator', p_order.creator, 'share_minor', p_order.share_minor, 'points', p_order.points,
    'replenish_id', p_order.replenish_id, 'accepted', p_order.accepted,
    'created_at', extract(epoch from p_order.created_at), 'paid_at', extract(epoch from p_order.paid_at),
    'identities', p_identities,
    'attempt', jsonb_build_object('attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider,
      'channel_key', p_attempt.channel_key, 'channel_name', p_attempt.channel_name,
      'channel_id', p_attempt.channel_id, 'method', p_attempt.method, 'provider_ref', p_attempt.provider_ref,
      'capture_ref', p_attempt.capture_ref),
    'reservations', p_reservations, 'coupon', v_coupon, 'replenish', v_replenish, 'tender', v_tender));
end $$;
