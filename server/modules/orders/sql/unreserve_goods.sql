-- What reserve_goods took for an order that is not placed after all is free again, without a trace.
create or replace function unreserve_goods(p_player_id uuid, p_billing_no text) returns void language plpgsql as $$
begin
  perform release_reservations(p_player_id, p_billing_no);
  delete from reservation where player_id = p_player_id and billing_no = p_billing_no;
end $$;
