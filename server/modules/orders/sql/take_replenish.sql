-- The order has the make-up payment, until it ends unpaid. look_at_replenish has locked it. A second order for it
-- cannot be: the state is looked at once more.
create or replace function take_replenish(p_player_id uuid, p_billing_no text, p_sold jsonb) returns void
  language plpgsql as $$
begin
  if num_nulls(p_player_id, p_billing_no, p_sold ->> 'replenish_id') > 0 then
    raise exception 'take_replenish: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  update replenish set state = 'taken', billing_no = p_billing_no
    where replenish_id = p_sold ->> 'replenish_id' and player_id = p_player_id and state = 'open';
  if not found then
    raise exception 'take_replenish: % is not open', p_sold ->> 'replenish_id'
      using errcode = 'invalid_parameter_value';
  end if;
  insert into reservation (player_id, billing_no, kind, game_id, product_id, subject)
    values (p_player_id, p_billing_no, 'replenish', p_sold ->> 'game_id', p_sold ->> 'product_id',
      p_sold ->> 'replenish_id');
end $$;
