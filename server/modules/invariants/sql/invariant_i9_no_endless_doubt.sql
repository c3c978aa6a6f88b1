create or replace view invariant_i9_no_endless_doubt as
  select a.player_id, a.billing_no, a.attempt_no from payment_attempt a
    join orders o on o.player_id = a.player_id and o.billing_no = a.billing_no
  where a.state = 'unknown' and a.created_at < now() - interval '24 hours'
    and o.state in ('created', 'pending') and a.next_query_at is null;
comment on view invariant_i9_no_endless_doubt is
  'No payment is in doubt for a day without a question to come.';
