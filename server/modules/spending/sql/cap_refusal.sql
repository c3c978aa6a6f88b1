-- Why an order of this price may not be placed, {outcome, kind, left_minor}, or null: cap_reached by the age of the
-- player or by a cap of their own; cap_other_currency where they have caps, none of them in this currency. The caller
-- holds the lock of the player, so orders are counted one after another.
-- p_at: when the order is placed; of one that is paid late, when it was.
create or replace function cap_refusal(
  p_player_id uuid, p_rules jsonb, p_currency text, p_amount_minor bigint, p_at timestamptz, p_billing_no text
) returns jsonb language plpgsql as $$
declare
  v_limit record;
begin
  if p_rules is null then return null; end if;
  if num_nulls(p_player_id, p_currency, p_amount_minor, p_at) > 0 then
    raise exception 'cap_refusal: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  -- Most players have no cap: a look by key instead of the sums over their orders.
  if not exists (select from spending_cap where player_id = p_player_id) then
    if jsonb_typeof(p_rules -> 'age_caps') is distinct from 'object' then return null; end if;
    if not exists (select from age_declaration where player_id = p_player_id) then return null; end if;
  end if;
  select l.kind, greatest(l.cap_minor - l.used_minor, 0) as left_minor into v_limit
    from spending_limits(p_player_id, p_rules, p_currency, p_at, p_billing_no) l
    where l.used_minor + p_amount_minor > l.cap_minor
    order by l.kind = 'age' desc, l.cap_minor - l.used_minor limit 1;
  if found then
    return jsonb_build_object('outcome', 'cap_reached', 'kind', v_limit.kind, 'left_minor', v_limit.left_minor);
  end if;
  if exists (select from spending_cap c
      where c.player_id = p_player_id
        and case when c.next_at <= now() then c.next_cap_minor else c.cap_minor end is not null
      having not bool_or(c.currency = p_currency)) then
    return jsonb_build_object('outcome', 'cap_other_currency');
  end if;
  return null;
end $$;
