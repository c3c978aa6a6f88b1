-- An operator gives or takes points: the entry, in the player's own ledger. Answers the points that the player has
-- then; null when taking so many would leave fewer than none. The caller writes the audit.
create or replace function operate_points(p_player_id uuid, p_points bigint) returns bigint language plpgsql as $$
declare
  v_points bigint;
begin
  if num_nulls(p_player_id, p_points) > 0 or p_points = 0 then
    raise exception 'operate_points: a player and a number other than 0 must be given'
      using errcode = 'null_value_not_allowed';
  end if;
  -- Two operators at once number their entries one after the other.
  perform 1 from player where player_id = p_player_id for no key update;
  if not found then raise exception 'there is no player %', p_player_id; end if;
  v_points := player_points(p_player_id) + p_points;
  if v_points < 0 and p_points < 0 then return null; end if;
  insert into points_entry (player_id, billing_no, kind, entry_no, points)
    select p_player_id, '', 'operator', count(*)::integer + 1, p_points from points_entry
      where player_id = p_player_id and billing_no = '';
  insert into player_change (player_id) values (p_player_id);
  return v_points;
end $$;
