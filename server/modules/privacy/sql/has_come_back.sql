-- Returns true when a player has logged in to the shop since they asked to be erased. A game that opens the shop is no
-- login.
create or replace function has_come_back(p_erasure erasure) returns boolean language sql stable as $$
  select exists (select from session s
    where s.player_id = p_erasure.player_id and s.kind = 'web' and s.created_at > p_erasure.asked_at)
$$;
