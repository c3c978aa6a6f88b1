-- The player of an order that is adopted: who is here under the same id, or logged in again since the backup was
-- brought back (the identities of the facts say so), else a player with the id that they had. Locks the player.
create or replace function adopt_player(p_player_id uuid, p_facts jsonb) returns uuid language plpgsql as $$
declare
  v_player_id uuid := p_player_id;
  v_known_id uuid;
  v_game_account_id uuid;
begin
  perform 1 from player where player_id = p_player_id;
  if not found then
    select i.player_id into v_known_id from player_identity i
      join jsonb_to_recordset(p_facts -> 'identities') as x(provider text, subject text)
        on i.provider = x.provider and i.subject = x.subject
      where i.brand_key = p_facts ->> 'brand_key' order by i.created_at limit 1;
    v_player_id := coalesce(v_known_id, p_player_id);
    select hash_game_account(x.provider, x.subject) into v_game_account_id
      from jsonb_to_recordset(p_facts -> 'identities') as x(provider text, subject text)
      where x.provider in ('game', 'game~beta') limit 1;
    insert into player (player_id, brand_key, suid, username, game_account_id)
      values (v_player_id, p_facts ->> 'brand_key', p_facts ->> 'suid', p_facts ->> 'suid', v_game_account_id)
      on conflict do nothing;
    insert into player_identity (brand_key, provider, subject, player_id)
      select p_facts ->> 'brand_key', x.provider, x.subject, v_player_id
      from jsonb_to_recordset(p_facts -> 'identities') as x(provider text, subject text) on conflict do nothing;
  end if;
  perform 1 from player where player_id = v_player_id for no key update;
  return v_player_id;
end $$;
