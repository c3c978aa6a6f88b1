-- Lets one order after another ask whether it is the first purchase of a game account (has_bought): its players hold
-- locks of their own, and codes of two brands are two rows. Nothing is counted in the row. The players of the shop's
-- own accounts are one each, whose lock their caller holds.
create or replace function lock_first_purchase(p_player_id uuid) returns void language plpgsql as $$
declare
  v_account_id constant uuid := account_of(p_player_id);
begin
  if v_account_id = p_player_id then return; end if;
  insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
    values (v_account_id, '', '', 'purchase', 'ever', 0, 0) on conflict do nothing;
  perform 1 from limit_counter where account_id = v_account_id and game_id = '' and product_id = ''
    and subject = 'purchase' and period = 'ever' for update;
end $$;
