-- Locks the row that counts an account's first-purchase bonus of a product. True: it is free.
-- It is a limit of one (limit_counter) that refuses nothing: an order without it goes on without the bonus.
create or replace function lock_first_bonus(p_account_id uuid, p_game_id text, p_product_id text, p_bonus jsonb)
  returns boolean language plpgsql as $$
declare
  v_used integer;
begin
  insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
    values (p_account_id, p_game_id, p_product_id, 'first', p_bonus ->> 'season', 0, 1) on conflict do nothing;
  select used into v_used from limit_counter
    where account_id = p_account_id and game_id = p_game_id and product_id = p_product_id and subject = 'first'
      and period = p_bonus ->> 'season'
    for update;
  return v_used = 0 and uses_before(p_account_id, p_game_id, p_product_id, 'first', p_bonus ->> 'season') = 0;
end $$;
