create or replace view invariant_i70_events_told as
  select o.player_id, o.billing_no, e.endpoint_id, t.type from webhook_endpoint e
    join orders o on e.brand_key is null or e.brand_key = o.brand_key
    cross join lateral (values ('delivered', o.delivered_at), ('refunded', o.refunded_at)) as s(state, at)
    cross join lateral (select 'order.' || s.state as type) t
  where o.state = s.state and t.type = any (e.types) and o.review_reason is distinct from 'chargeback'
    -- An endpoint that came while the order's transaction ran may not have been seen by it. Messages go after 30 days.
    and s.at > e.created_at + interval '1 minute' and s.at > now() - interval '3 days'
    and not exists (select from webhook_message m
      where m.player_id = o.player_id and m.billing_no = o.billing_no and m.endpoint_id = e.endpoint_id
        and m.type = t.type)
  union all
  select m.player_id, m.billing_no, m.endpoint_id, m.type from webhook_message m
    join webhook_endpoint e on e.endpoint_id = m.endpoint_id
  where m.state in ('queued', 'calling') and m.next_at < now() - interval '1 day';
comment on view invariant_i70_events_told is
  'Every delivered or refunded order has its message for each endpoint that wants it, and none waits unattended.';
