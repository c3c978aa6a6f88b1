-- Tells every endpoint that wants it what became of an order, in the transaction in which it became so: whichever
-- function, or hand, moved the order. One change is one event; a chargeback is told as such, whatever state follows.
-- Without an endpoint it is one look at an empty table. The trigger is of the table of all partitions.
create or replace function note_order_event() returns trigger language plpgsql as $$
declare
  v_type text := case
    when new.review_reason = 'chargeback' and old.review_reason is distinct from 'chargeback' then 'order.chargeback'
    else 'order.' || new.state end;
begin
  -- To begin an insert that finds nothing costs more than the change of the order itself; this look a third of that.
  if not exists (select from webhook_endpoint) then return null; end if;
  insert into webhook_message (player_id, message_id, endpoint_id, type, billing_no, data, next_at)
  select new.player_id, 'msg_' || replace(gen_random_uuid()::text, '-', ''), e.endpoint_id, v_type, new.billing_no,
    order_event_data(new), case when e.disabled_at is null then now() else 'infinity' end
  from webhook_endpoint e
  where v_type = any (e.types) and (e.brand_key is null or e.brand_key = new.brand_key);
  return null;
end $$;

do $$ begin
  if not exists (select from pg_trigger where tgrelid = 'orders'::regclass and tgname = 'order_event_noted') then
    create trigger order_event_noted after update of state, review_reason on orders for each row
      when ((old.state is distinct from new.state
          and (new.state = 'delivered' or new.state = 'refunded' or new.state = 'review'))
        or (new.review_reason = 'chargeback' and old.review_reason is distinct from new.review_reason))
      execute function note_order_event();
  end if;
end $$;
