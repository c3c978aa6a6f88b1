-- How a player of this brand is called, one row or none. Beside a row of session or player_identity this looks the
-- player up by the id that the row has: where the database is spread over machines, by asking theirs alone.
create or replace function player_names(p_player_id uuid, p_brand_key text) returns table (
  suid text, username text, disabled_at timestamptz
) language plpgsql stable rows 1 as $$
#variable_conflict use_column
begin
  return query select p.suid, p.username, p.disabled_at from player p
    where p.player_id = p_player_id and p.brand_key = p_brand_key;
end $$;
