-- First-purchase bonuses that unpaid orders of a character hold: theirs still, for those orders can be paid another
-- way. p_receiver: client_id, server_id, area_id, role_id.
create or replace function held_bonuses(p_player_id uuid, p_game_id text, p_receiver jsonb)
  returns table (product_id text, season text) language plpgsql stable as $$
#variable_conflict use_column
begin
  return query select u.product_id, r.period from unpaid_order u
    join orders o on o.player_id = u.player_id and o.billing_no = u.billing_no
    join reservation r on r.player_id = o.player_id and r.billing_no = o.billing_no
      and r.kind = 'bonus' and r.state = 'held'
    where u.player_id = p_player_id and o.game_id = p_game_id
      and jsonb_build_object('client_id', o.client_id, 'server_id', o.server_id,
        'area_id', o.area_id, 'role_id', o.role_id) = p_receiver;
end $$;
