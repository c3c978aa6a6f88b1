-- The method that the player chose, beside the channel that it was paid by. Empty for attempts from before there were methods.
alter table payment_attempt add column method text not null default '';

-- Both take the method now, and no server calls them: place_order does.
drop function if exists add_attempt(uuid, text, text, bigint, text, text, text, text, jsonb, text, interval, interval, jsonb,
  boolean, boolean);
drop function if exists insert_attempt(uuid, text, integer, text, text, jsonb, text, bigint, text, interval);
