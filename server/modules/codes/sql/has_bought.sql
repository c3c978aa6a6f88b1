-- Returns true when a code for a first purchase comes too late for a player: another order of the account was
-- delivered, is on its way, or waits unpaid with a code, at whatever brand (account_players). A purchase whose money
-- went back before its goods went out was none. p_except: the order that is measured itself.
create or replace function has_bought(p_player_id uuid, p_except text) returns boolean language plpgsql stable as $$
declare
  v_players constant uuid[] := account_players(p_player_id);
  v_account_id constant uuid := account_of(p_player_id);
begin
  if exists (select true from archived_buyer b where b.player_id = any (v_players)) then return true; end if;
  if uses_before(v_account_id, '', '', 'purchase', 'ever') > 0 then return true; end if;
  return exists (select true from orders o where o.player_id = any (v_players)
    and o.billing_no is distinct from p_except
    and (o.delivered_at is not null or is_deliverable(o.state) or (o.is_unpaid and o.promo_code is not null)));
end $$;
