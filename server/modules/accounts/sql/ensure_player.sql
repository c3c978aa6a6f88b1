-- The player behind an identity, made on first sight under p_player_id. Answers {player_id, is_disabled}. Of two that
-- come first at the same moment the second waits for the row of the identity, and gets the first one's player. An
-- identity that a user id was made of leads back to the player of that user id, whatever became of the link.
create or replace function ensure_player(
  p_player_id uuid, p_brand_key text, p_provider text, p_subject text, p_suid text, p_username text
) returns jsonb language plpgsql as $$
declare
  v_player_id uuid;
  v_founder_id uuid;
  v_disabled_at timestamptz;
  v_game_account_id uuid;
begin
  if num_nulls(p_player_id, p_brand_key, p_provider, p_subject, p_suid, p_username) > 0 then
    raise exception 'ensure_player: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  select player_id into v_player_id from player_identity
    where brand_key = p_brand_key and provider = p_provider and subject = p_subject;
  if not found then
    if p_suid = p_provider || '-' || p_subject then
      v_founder_id := founder_of_identity(p_brand_key, p_provider, p_subject);
      -- Whoever is being erased is awaited: the link of an erased player would lead nowhere.
      if v_founder_id is not null then
        perform 1 from player where player_id = v_founder_id and erased_at is null for share;
        if not found then v_founder_id := null; end if;
      end if;
    end if;
    insert into player_identity (brand_key, provider, subject, player_id)
      values (p_brand_key, p_provider, p_subject, coalesce(v_founder_id, p_player_id))
      on conflict (brand_key, provider, subject) do update set subject = excluded.subject
      returning player_id into v_player_id;
    if v_player_id is distinct from v_founder_id then
      v_game_account_id := hash_game_account(p_provider, p_subject);
      insert into player (player_id, brand_key, suid, username, game_account_id)
        values (v_player_id, p_brand_key, p_suid, p_username, v_game_account_id)
        on conflict (player_id) do update set username = excluded.username;
    end if;
    perform take_over_guards(v_player_id, p_brand_key, p_provider, p_subject);
  end if;
  select disabled_at into v_disabled_at from player where player_id = v_player_id;
  if not found then return null; end if;
  return jsonb_build_object('player_id', v_player_id, 'is_disabled', v_disabled_at is not null);
end $$;
