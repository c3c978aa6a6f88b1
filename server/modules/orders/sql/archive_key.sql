-- The second half of the key of a month's advisory lock (hold_month). p_partition: any partition of the month.
create or replace function archive_key(p_partition text) returns integer language sql immutable as $$
  select hashtext(substring(p_partition from '_(\d{4}_\d{2}|before)$')) & 2147483647
$$;
