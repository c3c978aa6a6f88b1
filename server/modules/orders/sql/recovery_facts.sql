-- All that a restored database must know of a paid order to take it into the books again (adopt_order). It goes to the
-- game sealed, with the grant, and comes back from `applied` (decision 61). Only what no longer changes once the order
-- is paid, so that a grant that is sent again has the same body.
create or replace function recovery_facts(p_player_id uuid, p_billing_no text) returns jsonb language plpgsql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  o orders;
  a payment_attempt;
  v_identities jsonb;
  v_reservations jsonb;
  v_coupon jsonb;
  v_replenish jsonb;
  v_tender jsonb;
begin
  select * into o from orders where player_id = p_player_id and billing_no = p_billing_no;
  select * into a from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded';
  if not found then return null; end if;
  select jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject) order by i.provider, i.subject)
    into v_identities from player_identity i where i.player_id = p_player_id and i.created_at <= o.paid_at;
  select jsonb_agg(jsonb_build_object('kind', r.kind, 'game_id', r.game_id, 'product_id', r.product_id,
      'subject', r.subject, 'period', r.period, 'cap', r.cap) order by r.kind)
    into v_reservations from reservation r where r.player_id = p_player_id and r.billing_no = p_billing_no;
  if o.coupon_code is not null then
    select jsonb_build_object('name', c.name, 'discount_rate', c.discount_rate, 'source', c.source,
        'issue_key', c.issue_key, 'valid_end', c.valid_end)
      into v_coupon from coupon c where c.player_id = p_player_id and c.code = o.coupon_code;
  end if;
  if o.replenish_id is not null then
    select jsonb_build_object('reason', p.reason, 'opened_by', p.opened_by, 'reference', p.reference,
        'expires_at', p.expires_at)
      into v_replenish from replenish p where p.replenish_id = o.replenish_id;
  end if;
  if a.provider = 'wallet' then
    select jsonb_build_object('kind', 'wallet', 'spends', t.spends,
        'free_minor', coalesce(-sum(e.amount_minor) filter (where e.kind = 'free'), 0),
        'paid_minor', coalesce(-sum(e.amount_minor) filter (where e.kind = 'paid'), 0))
      into v_tender from wallet_txn t join wallet_entry e on e.player_id = t.player_id and e.txn_id = t.txn_id
      where t.player_id = p_player_id and t.billing_no = p_billing_no and t.type = 'debit' group by t.spends;
  elsif a.provider = 'card' then
    select jsonb_build_object('kind', 'card', 'card_id', g.card_id, 'rest_minor', g.rest_minor)
      into v_tender from gift_card g where g.card_id = a.capture_ref and g.billing_no = p_billing_no;
  end if;
  return jsonb_strip_nulls(jsonb_build_object(
    'player_id', o.player_id, 'billing_no', o.billing_no, 'brand_key', o.brand_key, 'game_id', o.game_id,
    'client_id', o.client_id, 'product_id', o.product_id, 'server_id', o.server_id, 'area_id', o.area_id,
    'role_id', o.role_id, 'suid', o.suid, 'product', o.product,
    'amount_minor', o.amount_minor, 'discount_minor', o.discount_minor, 'currency', o.currency, 'region', o.region,
    'country', o.country, 'language', o.language, 'coupon_code', o.coupon_code, 'promo_code', o.promo_code,
    'creator', o.creator, 'share_minor', o.share_minor, 'points', o.points, 'replenish_id', o.replenish_id,
    'accepted', o.accepted, 'created_at', extract(epoch from o.created_at), 'paid_at', extract(epoch from o.paid_at),
    'identities', v_identities,
    'attempt', jsonb_build_object('attempt_no', a.attempt_no, 'provider', a.provider, 'channel_key', a.channel_key,
      'channel_name', a.channel_name, 'channel_id', a.channel_id, 'method', a.method, 'provider_ref', a.provider_ref,
      'capture_ref', a.capture_ref),
    'reservations', v_reservations, 'coupon', v_coupon, 'replenish', v_replenish, 'tender', v_tender));
end $$;
