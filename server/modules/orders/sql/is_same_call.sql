-- Returns true when two fingerprints under one Idempotency-Key are of one call. "2:<hash>" says by which list of fields
-- it was made; the first list had no number. Hashes of different lists cannot be compared: while a release replaces
-- another, the same call comes again with another hash, and a client makes a key of its own for each purchase.
create or replace function is_same_call(p_known text, p_given text) returns boolean
  language sql immutable parallel safe as $$
  select p_known = p_given
    or substring(p_known from '^([0-9]+):') is distinct from substring(p_given from '^([0-9]+):')
$$;
