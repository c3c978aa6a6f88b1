-- Places an order, or adds a payment attempt to the unpaid order that the character has for the product. The door:
-- parameters and the Idempotency-Key; make_order does the rest, and a refusal of any kind frees the key here, in one
-- place.
--
-- p_sold: brand_key, game_id, client_id, product_id, server_id, area_id, role_id, suid, username, product, region,
-- country, language; perhaps origin, method, accepted, payer_rules (see payer_refusal) and points_rate {points,
-- per_minor}, which servers from before do not send; points_rate is null where the brand has no VIP programme;
-- price_holds (see is_price_in_force) where the price changes by itself; replenish_id of a make-up payment, which no
-- character receives.
-- p_limit: times, days (null: ever), subject; null where the product has none.
-- p_sold.promo: a promo code, perhaps left out: code, min_charge_minor, and where it has them rate or off_minor (in
-- p_currency), min_spend_minor, total, per_player, is_first, valid_from, valid_end, creator with share_bp,
-- quoted_minor.
-- p_sold.first_bonus: of the product, perhaps left out: season, gifts, is_told (the player was told of it).
-- p_coupon: code, min_charge_minor, quoted_minor (null: the player was not told a price); null without a coupon.
-- p_tender: see reserve_internal_tender; null where a provider is asked. Outcomes: PlaceOutcome in store.ts.
create or replace function place_order(
  p_player_id uuid, p_billing_no text, p_idempotency_key text, p_fingerprint text, p_sold jsonb, p_amount_minor bigint,
  p_currency text, p_provider text, p_channel_key text, p_channel_name jsonb, p_channel_id text, p_expires_in interval,
  p_payable_for interval, p_time_zone text, p_limit jsonb, p_has_stock boolean, p_coupon jsonb, p_tender jsonb,
  p_must_be_new boolean, p_must_notify boolean, p_max_per_minute integer, p_max_open integer
) returns jsonb language plpgsql
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set plan_cache_mode = force_generic_plan as $$
declare
  v_answer jsonb;
begin
  if num_nulls(p_player_id, p_billing_no, p_fingerprint, p_sold, p_amount_minor, p_currency, p_provider,
      p_channel_key, p_channel_name, p_channel_id, p_expires_in, p_payable_for, p_time_zone, p_has_stock,
      p_must_be_new, p_must_notify, p_max_per_minute, p_max_open) > 0
  then
    raise exception 'place_order: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  perform require_keys('place_order, sold', p_sold, array['brand_key', 'game_id', 'client_id', 'product_id',
    'server_id', 'area_id', 'role_id', 'suid', 'username', 'product', 'region', 'country', 'language']);
  if p_limit is not null then perform require_keys('place_order, limit', p_limit, '{times,subject}'); end if;
  if p_coupon is not null then perform require_keys('place_order, coupon', p_coupon, '{code,min_charge_minor}'); end if;
  if coalesce(p_sold -> 'promo', 'null') <> 'null' then
    perform require_keys('place_order, promo', p_sold -> 'promo', '{code,min_charge_minor}');
  end if;
  if coalesce(p_sold -> 'first_bonus', 'null') <> 'null' then
    perform require_keys('place_order, first bonus', p_sold -> 'first_bonus', '{season,gifts,is_told}');
  end if;
  if p_tender is not null then perform require_tender(p_tender); end if;

  if p_idempotency_key is not null then
    v_answer := take_idempotency_key(p_player_id, p_idempotency_key, p_fingerprint);
    if v_answer is not null then return v_answer; end if;
  end if;
  v_answer := make_order(p_player_id, p_billing_no, p_idempotency_key, p_sold, p_amount_minor, p_currency,
    p_provider, p_channel_key, p_channel_name, p_channel_id, p_expires_in, p_payable_for, p_time_zone, p_limit,
    p_has_stock, p_coupon, p_tender, p_must_be_new, p_must_notify, p_max_per_minute, p_max_open);
  if v_answer ->> 'outcome' <> all ('{placed,paid,repeat}'::text[]) then
    delete from idempotency where player_id = p_player_id and key = p_idempotency_key;
  end if;
  return v_answer;
end $$;
