-- All that a restored database must know of a reward to take it into the books again (adopt_reward), as recovery_facts
-- has it of an order (decision 61). Only what never changes, so that a grant that is sent again has the same body.
create or replace function reward_facts(p_player_id uuid, p_reward_no text) returns jsonb language plpgsql stable
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  w reward;
  v_identities jsonb;
begin
  select * into w from reward where player_id = p_player_id and reward_no = p_reward_no;
  if not found then return null; end if;
  select jsonb_agg(jsonb_build_object('provider', i.provider, 'subject', i.subject) order by i.provider, i.subject)
    into v_identities from player_identity i where i.player_id = p_player_id and i.created_at <= w.created_at;
  return jsonb_strip_nulls(jsonb_build_object(
    'player_id', w.player_id, 'reward_no', w.reward_no, 'issue_key', w.issue_key, 'brand_key', w.brand_key,
    'game_id', w.game_id, 'client_id', w.client_id, 'server_id', w.server_id, 'area_id', w.area_id,
    'role_id', w.role_id, 'suid', w.suid, 'product_id', w.product_id, 'gifts', w.gifts, 'title', w.title,
    'basis', w.basis - 'is_partly_erased', 'created_at', extract(epoch from w.created_at), 'identities', v_identities));
end $$;
