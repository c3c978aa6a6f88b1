-- Keeps unpaid_order as the orders are, whoever writes them. A second unpaid order of a character for a product is
-- refused by its key, in the transaction that would place it.
create or replace function note_unpaid_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into unpaid_order (player_id, client_id, server_id, area_id, role_id, product_id, billing_no)
      values (new.player_id, new.client_id, new.server_id, new.area_id, new.role_id, new.product_id, new.billing_no);
  else
    delete from unpaid_order where player_id = old.player_id and client_id = old.client_id
      and server_id = old.server_id and area_id = old.area_id and role_id = old.role_id
      and product_id = old.product_id and billing_no = old.billing_no;
  end if;
  return null;
end $$;

-- The states are those of is_unpaid: the words are compared here, for a function would be called for every change.
do $$ begin
  if not exists (select from pg_trigger where tgrelid = 'orders'::regclass and tgname = 'unpaid_order_placed') then
    create trigger unpaid_order_placed after insert on orders for each row
      when (new.state = 'created' or new.state = 'pending') execute function note_unpaid_order();
  end if;
  if not exists (select from pg_trigger where tgrelid = 'orders'::regclass and tgname = 'unpaid_order_closed') then
    create trigger unpaid_order_closed after update of state on orders for each row
      when ((old.state = 'created' or old.state = 'pending') and new.state <> 'created' and new.state <> 'pending')
      execute function note_unpaid_order();
  end if;
end $$;
