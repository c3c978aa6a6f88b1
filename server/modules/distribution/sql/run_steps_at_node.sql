-- Runs plain steps of players whose shards lie on this node of a spread database, in one transaction: the rows of each
-- shard by the functions of its own schema (shard-schemas.ts), what lies by another key by Citus. p_steps: as
-- run_steps, each with player_id in its input, a report also with the logins of its player (identities). p_stamp: of
-- the schemas that the caller knows. Answers a list as long; null: not run here, the step is no plain one. A step that
-- would wait for a lock of somebody else for more than 100 ms ends the whole, as does a shard that is elsewhere.
create or replace function run_steps_at_node(p_steps jsonb, p_stamp text) returns jsonb[] language plpgsql
  set lock_timeout = '100ms' as $$
declare
  v_count constant integer := jsonb_array_length(p_steps);
  v_answers jsonb[] := array_fill(null::jsonb, array[v_count]);
  v_players uuid[];
  v_shards bigint[];
  v_of bigint[];
  v_shard bigint;
  v_places integer[];
  v_some jsonb[];
begin
  v_players := array(select (s #>> '{input,player_id}')::uuid
    from jsonb_array_elements(p_steps) with ordinality as x(s, place) order by place);
  v_of := array(select get_shard_id_for_distribution_column('player', player_id)
    from unnest(v_players) with ordinality as x(player_id, place) order by place);
  -- Lowest first, as everywhere: two batches do not meet crosswise.
  v_shards := array(select distinct shard from unnest(v_of) as x(shard) order by shard);
  if not hold_shards(v_shards) @> v_shards then
    raise exception 'a player of this batch lies on another node' using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- Citus knows of no write here before it sends one away, and would commit that one by itself. It asks for a change of
  -- its own to commit both in two phases.
  delete from idempotency where player_id = v_players[1] and key = '';
  perform set_config('refill.at_shard', 'on', true);
  -- Each once: they are joined with.
  perform set_config('refill.given', jsonb_build_object(
    'numbers', coalesce((select jsonb_agg(distinct jsonb_build_object('billing_no', s #> '{input,billing_no}',
        'player_id', s #> '{input,player_id}'))
      from jsonb_array_elements(p_steps) s where s ->> 'name' = 'receive_report'), '[]'),
    'identities', coalesce((select jsonb_agg(distinct i)
      from jsonb_path_query(p_steps, '$[*].input.identities[*]') i), '[]'))::text, true);
  foreach v_shard in array v_shards loop
    -- It came here a moment ago, or another version made the schemas: then each step goes by the coordinator.
    continue when to_regnamespace(format('shard_%s_%s', v_shard, p_stamp)) is null;
    v_places := array(select place from unnest(v_of) with ordinality as x(shard, place) where shard = v_shard order by place);
    execute format('select shard_%s_%s.run_plain_steps($1)', v_shard, p_stamp)
      into v_some using (select jsonb_agg(p_steps -> place - 1 order by place) from unnest(v_places) as x(place));
    for i in 1 .. cardinality(v_places) loop
      v_answers[v_places[i]] := v_some[i];
    end loop;
  end loop;
  return v_answers;
end $$;
