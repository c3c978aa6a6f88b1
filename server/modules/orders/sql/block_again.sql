-- The money of a make-up payment went back: the game is asked to block the account again, once. Orders of goods are not
-- touched: whether those are taken back a person decides.
create or replace function block_again(p_player_id uuid, p_billing_no text, p_reason text) returns void
  language plpgsql as $$
begin
  if num_nulls(p_player_id, p_billing_no, p_reason) > 0 then
    raise exception 'block_again: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  insert into revocation (player_id, billing_no, game_id, reason)
    select player_id, billing_no, game_id, p_reason from orders
    where player_id = p_player_id and billing_no = p_billing_no and replenish_id is not null
      and delivered_at is not null
    on conflict do nothing;
end $$;
