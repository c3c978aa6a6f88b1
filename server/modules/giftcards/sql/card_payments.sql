-- How many payments of an order were made by a card and, unless p_returned, did not go back. Asked beside the card's
-- row: where the database is spread over machines, of the player's node alone.
create or replace function card_payments(p_player_id uuid, p_billing_no text, p_card_id text, p_returned boolean)
  returns bigint language plpgsql stable as $$
declare
  v_count bigint;
begin
  select count(*) into v_count from payment_attempt a
    where a.player_id = p_player_id and a.billing_no = p_billing_no and a.capture_ref = p_card_id
      and a.provider = 'card' and a.state = 'succeeded'
      and (p_returned or not exists (select from ledger_entry l where l.player_id = p_player_id
        and l.billing_no = p_billing_no and l.attempt_no = a.attempt_no and l.kind in ('refunded', 'chargeback')));
  return v_count;
end $$;
