-- Returns the part that may be booked of an amount that a provider says went back; null, for manual review, where its
-- documents leave open what the amount is. p_doubt: PaymentReport.amountDoubt; a word that nobody knows is a doubt as
-- well. What we have asked the provider to pay back is known.
create or replace function believed_refund(
  p_player_id uuid, p_billing_no text, p_attempt_no integer, p_amount_minor bigint, p_doubt text
) returns bigint language plpgsql stable as $$
declare
  v_whole_minor bigint;
begin
  if p_doubt is null then return p_amount_minor; end if;
  if exists (select from refund
      where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no
        and amount_minor = p_amount_minor and tries > 0 and state <> 'manual') then
    return p_amount_minor;
  end if;
  select coalesce(reported_minor, amount_minor) into v_whole_minor from payment_attempt
    where player_id = p_player_id and billing_no = p_billing_no and attempt_no = p_attempt_no;
  return case
    when p_doubt = 'part' and p_amount_minor = v_whole_minor then p_amount_minor
    when p_doubt = 'whole' and p_amount_minor < v_whole_minor then p_amount_minor
  end;
end $$;
