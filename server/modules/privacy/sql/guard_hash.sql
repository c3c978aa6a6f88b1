-- Keyed hash of an account, or of what it used up: HMAC-like, under the one key of this database.
create or replace function guard_hash(p_text text) returns text language sql stable strict as $$
  select encode(sha256(k.key || sha256(k.key || convert_to(p_text, 'UTF8'))), 'hex') from guard_key k
$$;
