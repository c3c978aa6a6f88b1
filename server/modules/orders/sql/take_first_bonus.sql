-- Takes the first-purchase bonus for an order. The caller has locked it and found it free (lock_first_bonus).
create or replace function take_first_bonus(p_player_id uuid, p_account_id uuid, p_billing_no text, p_game_id text,
  p_product_id text, p_bonus jsonb) returns void language plpgsql as $$
begin
  update limit_counter set used = 1
    where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id and subject = 'first'
      and period = p_bonus ->> 'season';
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, account_id)
    values (p_player_id, p_billing_no, 'bonus', p_game_id, p_product_id, 'first', p_bonus ->> 'season', 1,
      p_account_id);
end $$;
