-- A text in place of a name or a user id, the same for the same text of one erasure. The salt is made for it and kept
-- nowhere, so nothing leads back. What is empty stays so.
create or replace function pseudonym_of(p_salt bytea, p_text text) returns text language sql immutable as $$
  select case when coalesce(p_text, '') = '' then p_text
    else 'erased-' || left(encode(sha256(p_salt || convert_to(p_text, 'UTF8')), 'hex'), 16) end
$$;
