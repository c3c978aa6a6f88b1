-- The right to ask the provider about one attempt now (null: the current one), shared by all tabs and processes through
-- the row: at most once in p_every. No row when somebody asked just now, the money is being taken, or there is nothing
-- to ask. p_margin: see is_past_payable in attempt-store.ts.
create or replace function lease_query(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_every interval, p_margin interval
) returns table (a payment_attempt, o orders, is_past_payable boolean) language plpgsql as $$
#variable_conflict use_column
declare
  v_order orders;
  v_attempt payment_attempt;
begin
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no;
  if not found then return; end if;
  update payment_attempt set queried_at = now()
    where player_id = p_player_id and billing_no = p_billing_no
      and attempt_no = coalesce(p_attempt_no, v_order.current_attempt) and is_open
      and (queried_at is null or queried_at < now() - p_every)
      and (capture_lease_until is null or capture_lease_until <= now())
    returning * into v_attempt;
  if not found then return; end if;
  return query select v_attempt, v_order, v_attempt.payable_until < now() - p_margin;
end $$;
