-- The same as run_steps(text[], jsonb[]), which servers of the version before still call: one text of all steps instead of an array of texts, whose every
-- quotation mark is escaped on the way and read twice.
create function run_steps(p_steps jsonb) returns setof jsonb language plpgsql set lock_timeout = '100ms' as $$
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
