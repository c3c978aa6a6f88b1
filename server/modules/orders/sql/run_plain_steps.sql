-- Runs those steps of a batch that need nothing but the rows of their players, one statement a kind (place_plain_orders,
-- record_create_results, book_plain_payments, record_delivery_results), in one transaction. p_steps: as run_steps has
-- them, in the order of their kinds, each with the player in its input; a delivery is a step of its own
-- (record_delivery). Answers a list as long: null where a step is none of those, and was not run.
create or replace function run_plain_steps(p_steps jsonb) returns jsonb[] language plpgsql as $$
declare
  v_count constant integer := jsonb_array_length(p_steps);
  v_answers jsonb[] := array_fill(null::jsonb, array[v_count]);
  v_name text;
  v_inputs jsonb;
  v_input jsonb;
  v_places integer[];
  v_some jsonb[];
begin
  foreach v_name in array '{place_order,record_delivery,record_create_result,receive_report}'::text[] loop
    v_inputs := '[]';
    v_places := '{}';
    for i in 1 .. v_count loop
      continue when p_steps #>> array[(i - 1)::text, 'name'] <> v_name;
      -- A no of the game, or none at all, may touch more than the player's rows.
      continue when v_name = 'record_delivery' and p_steps #>> array[(i - 1)::text, 'input,result,kind'] <> 'done';
      -- A result of a delivery stands by itself in a step, and among its order's keys in a batch.
      v_input := p_steps #> array[(i - 1)::text, 'input'];
      v_inputs := v_inputs || jsonb_build_array(v_input - 'result' || coalesce(v_input -> 'result', '{}'));
      v_places := v_places || i;
    end loop;
    continue when cardinality(v_places) = 0;
    v_some := array_fill('"recorded"'::jsonb, array[cardinality(v_places)]);
    case v_name
      when 'place_order' then v_some := place_plain_orders(v_inputs);
      when 'record_delivery' then perform record_delivery_results(v_inputs);
      when 'record_create_result' then perform record_create_results(v_inputs);
      when 'receive_report' then v_some := book_plain_payments(v_inputs);
    end case;
    for i in 1 .. cardinality(v_places) loop
      v_answers[v_places[i]] := v_some[i];
    end loop;
  end loop;
  return v_answers;
end $$;
