-- Books one part of a payment that went back; of a payment beside the order's own it was owed. A part of the order's
-- payment lessens revenue whether its goods are out yet or not: they are sold for less. Nine parts have a number, and
-- those after them are left to the refund that ends them. The caller holds the attempt.
create or replace function book_part(p_attempt payment_attempt, p_amount_minor bigint) returns boolean
  language plpgsql as $$
declare
  v_count integer;
begin
  select count(*) into v_count from ledger_entry
    where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no and attempt_no = p_attempt.attempt_no
      and account = 'provider_receivable' and kind like 'part\_refunded\_%';
  if v_count >= 9 or p_amount_minor <= 0 then return false; end if;
  -- A part that is told after the whole, or what the bank has left of it, went back says nothing new.
  if p_amount_minor > (select coalesce(sum(amount_minor), 0) from ledger_entry
      where player_id = p_attempt.player_id and billing_no = p_attempt.billing_no
        and attempt_no = p_attempt.attempt_no and account = 'provider_receivable') then
    return false;
  end if;
  insert into ledger_entry (player_id, billing_no, kind, attempt_no, account, amount_minor, currency)
    select p_attempt.player_id, p_attempt.billing_no, 'part_refunded_' || v_count + 1, p_attempt.attempt_no,
      side.account, side.minor, coalesce(p_attempt.reported_currency, p_attempt.currency)
    from (values (case when p_attempt.state = 'succeeded' then 'revenue' else 'refund_owed' end, p_amount_minor),
      ('provider_receivable', -p_amount_minor)) as side(account, minor);
  return true;
end $$;
