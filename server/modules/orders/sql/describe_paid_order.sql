-- recovery_facts of rows that its caller holds: book_payment has them, and reads none again.
create or replace function describe_paid_order(p_order orders, p_attempt payment_attempt) returns jsonb
  language plpgsql stable as $$
declare
  v_identities jsonb;
  v_reservations jsonb;
begin
  select (select jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject)
        order by i.provider, i.subject)
      from player_identity i where i.player_id = p_order.player_id and i.created_at <= p_order.paid_at),
      (select jsonb_agg(jsonb_build_object('kind', r.kind, 'game_id', r.game_id, 'product_id', r.product_id,
          'subject', r.subject, 'period', r.period, 'cap', r.cap) order by r.kind)
        from reservation r where r.player_id = p_order.player_id and r.billing_no = p_order.billing_no)
    into v_identities, v_reservations;
  return describe_order_facts(p_order, p_attempt, v_identities, v_reservations);
end $$;
