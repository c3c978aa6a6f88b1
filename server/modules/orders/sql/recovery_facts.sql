-- All that a restored database must know of a paid order to take it into the books again (adopt_order). It goes to the
-- game sealed, with the grant, and comes back from `applied` (decision 61). Only what no longer changes once the order
-- is paid, so that a grant that is sent again has the same body.
create or replace function recovery_facts(p_player_id uuid, p_billing_no text) returns jsonb language plpgsql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  v_order orders;
  v_attempt payment_attempt;
begin
  select * into v_order from orders where player_id = p_player_id and billing_no = p_billing_no;
  select * into v_attempt from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and state = 'succeeded';
  if not found then return null; end if;
  return describe_paid_order(v_order, v_attempt);
end $$;
