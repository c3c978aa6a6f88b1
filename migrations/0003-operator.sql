-- What operators look back at.

-- The rows of configuration_file as this revision wrote them, so that a shop can go back to it. Null: an old revision, or
-- one that a version without this column applied.
alter table configuration_history add column files json;

-- Recovery after a restored backup (decision 61).

-- When the order was taken into the books again on the game's word; null: it was placed here and stayed.
alter table orders add column adopted_at timestamptz;
