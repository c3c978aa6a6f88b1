-- Several steps of the money path in one transaction: all of them happen or none. Who waits for a lock of one of them holds up the others, so the
-- wait is short here, shorter than PostgreSQL takes to look for a deadlock; the caller then runs each step by itself.
create function run_steps(p_steps text[], p_inputs jsonb[]) returns setof jsonb language plpgsql set lock_timeout = '100ms' as $$
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
