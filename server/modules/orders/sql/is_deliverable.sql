-- The order is paid and its goods may still go out. Equal to DELIVERABLE_STATES in rules.ts.
create or replace function is_deliverable(p_state text) returns boolean language sql immutable as
  $$ select p_state = any ('{paid,delivering,review}'::text[]) $$;
