-- Takes from a refund that is still to be paid what went back by another way meanwhile: a part that the provider's pages
-- gave back, a part that the bank took. A refund that the provider was asked for keeps its amount, for it is asked again
-- under the same key; the provider refuses what it no longer has, and a person decides. p_amount_minor: less than what
-- was left, for the last part ends the refund. The caller holds the attempt.
create or replace function lessen_refund(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_amount_minor bigint
) returns void language plpgsql as $$
begin
  if num_nulls(p_player_id, p_billing_no, p_attempt_no, p_amount_minor) > 0 then
    raise exception 'lessen_refund: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  update refund set amount_minor = amount_minor - p_amount_minor
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
      and (state = 'manual' or (state = 'due' and tries = 0));
end $$;
