-- The account of a game as our tables name it: a keyed hash, under the key of this database. The same for every brand
-- and for super mode, so that all count one account. p_subject: `<game>/<user id>`, as player_identity has it.
-- Null for an identity that is not a game's.
create or replace function hash_game_account(p_provider text, p_subject text) returns uuid language sql stable as $$
  select case when p_provider in ('game', 'game~beta')
    then left(guard_hash('game account/' || p_subject), 32)::uuid end
$$;
