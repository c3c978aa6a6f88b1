-- Decides whether an order may sell a make-up payment: the row is locked and read, nothing is taken yet. Outcomes: ok,
-- replenish_gone (paid, being paid by another order, closed or over), replenish_foreign (another account's),
-- price_changed (not its amount). It sells exactly its amount, whole: no coupon, no limit, no stock.
create or replace function look_at_replenish(
  p_player_id uuid, p_sold jsonb, p_amount_minor bigint, p_currency text, p_limit jsonb, p_has_stock boolean,
  p_coupon jsonb
) returns text language plpgsql as $$
declare
  v_replenish replenish;
begin
  if num_nulls(p_player_id, p_sold ->> 'replenish_id', p_amount_minor, p_currency, p_has_stock) > 0 then
    raise exception 'look_at_replenish: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  if p_limit is not null or p_has_stock or p_coupon is not null or nullif(p_sold -> 'promo', 'null') is not null
     or nullif(p_sold -> 'first_bonus', 'null') is not null then
    raise exception 'a make-up payment has no limit, stock or coupon' using errcode = 'invalid_parameter_value';
  end if;
  select * into v_replenish from replenish where replenish_id = p_sold ->> 'replenish_id' for update;
  if not found or v_replenish.brand_key <> p_sold ->> 'brand_key' or v_replenish.game_id <> p_sold ->> 'game_id'
     or v_replenish.client_id <> p_sold ->> 'client_id' or v_replenish.state <> 'open'
     or v_replenish.expires_at <= now() then
    return 'replenish_gone';
  end if;
  if v_replenish.player_id <> p_player_id then return 'replenish_foreign'; end if;
  if v_replenish.amount_minor <> p_amount_minor or v_replenish.currency <> p_currency then
    return 'price_changed';
  end if;
  return 'ok';
end $$;
