-- How an order stands, one row or none. Beside a row that names it this looks it up by the player that the row has:
-- where the database is spread over machines, by asking theirs alone.
create or replace function order_standing(p_player_id uuid, p_billing_no text) returns table (
  state text, review_reason text, paid_at timestamptz, delivered_at timestamptz
) language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  if p_billing_no is null then return; end if;
  return query select o.state, o.review_reason, o.paid_at, o.delivered_at from orders o
    where o.player_id = p_player_id and o.billing_no = p_billing_no;
end $$;
