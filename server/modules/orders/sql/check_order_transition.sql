-- The table order_transition is law: no statement, of whatever function or hand, moves an order another way. The moves
-- of an order that is bought and delivered, which stand in it (transitions.test.ts), are known without looking: a look
-- a move was a twentieth of PostgreSQL's time for an order.
create or replace function check_order_transition() returns trigger language plpgsql as $$
begin
  if old.state || '>' || new.state in ('created>pending', 'pending>delivering', 'delivering>delivered') then
    return new;
  end if;
  if not exists (select from order_transition t where t.from_state = old.state and t.to_state = new.state) then
    raise exception 'order % cannot go from % to %', new.billing_no, old.state, new.state
      using errcode = 'check_violation';
  end if;
  return new;
end $$;

-- On the table of all partitions: each of them has it then.
do $$ begin
  if not exists (select from pg_trigger where tgrelid = 'orders'::regclass and tgname = 'order_transition_checked')
    and can_have_triggers('orders') then
    create trigger order_transition_checked before update of state on orders
      for each row when (old.state is distinct from new.state) execute function check_order_transition();
  end if;
end $$;
