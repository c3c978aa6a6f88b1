-- The player whose user id in the game was made of this identity by its first login, `<provider>-<subject>`; null for
-- nobody. The characters are those of that user id, so the identity leads to this player and makes no second one.
-- Databases of before may have two: the older one counts. An account with a password, or one of a game, has its user
-- id from elsewhere. Two statements: on a spread database the players lie apart from the identities (decision 64).
create or replace function founder_of_identity(p_brand_key text, p_provider text, p_subject text) returns uuid
  language plpgsql stable as $$
declare
  v_player_ids uuid[];
begin
  if num_nulls(p_brand_key, p_provider, p_subject) > 0 then
    raise exception 'founder_of_identity: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  v_player_ids := array(
    select player_id from player
      where suid = p_provider || '-' || p_subject and brand_key = p_brand_key and erased_at is null
      order by created_at, player_id);
  return (
    select x.player_id from unnest(v_player_ids) with ordinality as x(player_id, place)
      where not exists (select from player_identity i where i.player_id = x.player_id
        and i.provider = any ('{builtin,builtin~beta,game,game~beta}'::text[]))
      order by x.place limit 1);
end $$;
