create or replace view invariant_i15_unpaid_orders as
  select o.player_id, o.billing_no, o.state, 'it has no row' as reason from orders o
  where o.is_unpaid and not exists (select from unpaid_order u
    where u.player_id = o.player_id and u.billing_no = o.billing_no and u.client_id = o.client_id
      and u.server_id = o.server_id and u.area_id = o.area_id and u.role_id = o.role_id
      and u.product_id = o.product_id)
  union all
  -- Its character could not buy the product.
  select u.player_id, u.billing_no, o.state, 'its row stayed' from unpaid_order u
    left join orders o on o.player_id = u.player_id and o.billing_no = u.billing_no
  where o.is_unpaid is not true;
comment on view invariant_i15_unpaid_orders is
  'Every unpaid order, and no other, stands among those that a character may have one of for a product.';
