-- Limits count by the character's numbers in the game: those become a pseudonym too, in what counts and in what is
-- counted alike, so that a late refund still finds its counter.
create or replace function erase_subjects(p_player_id uuid, p_salt bytea) returns void language plpgsql as $$
begin
  insert into player_change (player_id) values (p_player_id);
  update limit_counter set subject = pseudonym_of(p_salt, subject)
    where account_id = p_player_id and starts_with(subject, 'role:');
  update reservation set subject = pseudonym_of(p_salt, subject)
    where player_id = p_player_id and kind = 'limit' and starts_with(subject, 'role:');
end $$;
