-- Several steps of the money path in one transaction: all of them happen or none. A step that waits for a lock holds up the others, so the
-- wait is short here, shorter than PostgreSQL takes to look for a deadlock; the caller then runs each step by itself. One text of all steps:
-- in an array of texts every quotation mark would be escaped on the way and read twice.
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
