-- The order was closed without money; late money may still come for it. Equal to LAPSED_STATES in rules.ts.
create or replace function is_lapsed(p_state text) returns boolean language sql immutable as
  $$ select p_state = any ('{failed,expired,cancelled}'::text[]) $$;
