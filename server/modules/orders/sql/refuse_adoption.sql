-- Ends adopt_order: nothing that it did stays, and a person decides. p_reason is its outcome.
create or replace function refuse_adoption(p_reason text) returns void language plpgsql as $$
begin
  raise exception '%', p_reason using errcode = 'RF061';
end $$;
