-- The first and the last number of a batch: p_inputs is a list of objects with a billing_no each. Between them lies
-- what the batch touches, so a plan for all calls leaves out every other month before it begins: to make partitions
-- ready that are not read was a tenth of the time of a batch. Null of an empty list. No query of its own, for that
-- costs more.
-- Only for rows that are locked already, by a statement before: where PostgreSQL 18 has waited for a row it looks again
-- with the same plan, which does not find rows of partitions that it has left out (contended.test.ts). A statement that
-- does nothing but lock may wait: it has the lock before it looks again, and what it finds is not asked.
create or replace function billing_no_span(p_inputs jsonb, out first_no text, out last_no text) language plpgsql
  immutable as $$
declare
  v_no text;
begin
  for i in 0 .. jsonb_array_length(p_inputs) - 1 loop
    v_no := p_inputs #>> array[i::text, 'billing_no'];
    first_no := least(first_no, v_no);
    last_no := greatest(last_no, v_no);
  end loop;
end $$;
