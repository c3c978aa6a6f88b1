-- A verified word of our money that moved: without an order here it is an alarm.
create or replace function is_money_report(p_report jsonb) returns boolean language sql immutable as $$
  select p_report ->> 'status' in ('paid', 'paid_unreadable', 'refunded', 'chargeback')
    and (p_report ->> 'isOurMerchant')::boolean is true
$$;
