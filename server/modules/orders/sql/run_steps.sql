-- Several steps of the money path in one transaction: all of them happen or none. Who waits for a lock of one of them holds up the others, so the
-- wait is short here, shorter than PostgreSQL takes to look for a deadlock; the caller then runs each step by itself.
create or replace function run_steps(p_steps text[], p_inputs jsonb[]) returns setof jsonb language plpgsql set lock_timeout = '100ms' as $$
begin
  for i in 1 .. cardinality(p_steps) loop
    case p_steps[i]
      when 'place_order' then return next place_order(p_inputs[i]);
      when 'finish_deliveries' then return next to_jsonb(finish_deliveries(p_inputs[i]));
      when 'finish_create' then return next finish_create(p_inputs[i]);
      when 'apply_report' then return next apply_report(p_inputs[i]);
    end case;
  end loop;
end $$;

-- The same as run_steps(text[], jsonb[]), which servers of the version before still call: one text of all steps instead of an array of texts, whose every
-- quotation mark is escaped on the way and read twice.
create or replace function run_steps(p_steps jsonb) returns setof jsonb language plpgsql set lock_timeout = '100ms' as $$
declare
  v_name text;
  v_input jsonb;
begin
  for i in 0 .. jsonb_array_length(p_steps) - 1 loop
    v_name := p_steps -> i ->> 'name';
    v_input := p_steps -> i -> 'input';
    case v_name
      when 'place_order' then return next place_order(v_input);
      when 'finish_deliveries' then return next to_jsonb(finish_deliveries(v_input));
      when 'finish_create' then return next finish_create(v_input);
      when 'apply_report' then return next apply_report(v_input);
    end case;
  end loop;
end $$;
