-- Returns true when a code for a first purchase comes too late for a player: another order was delivered, is on its
-- way, or waits unpaid with a code. A purchase whose money went back before its goods went out was none. p_except: the
-- order that is measured itself.
create or replace function has_bought(p_player_id uuid, p_except text) returns boolean language plpgsql stable as $$
begin
  if exists (select from archived_buyer b where b.player_id = p_player_id) then return true; end if;
  if carried_uses(p_player_id, '', '', 'purchase', 'ever') > 0 then return true; end if;
  return exists (select from orders o where o.player_id = p_player_id and o.billing_no is distinct from p_except
    and (o.delivered_at is not null or is_deliverable(o.state) or (o.is_unpaid and o.promo_code is not null)));
end $$;
