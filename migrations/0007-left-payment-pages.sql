-- When the player last left the provider's page by its way to cancel. A word to the player, never a fact about money.
alter table payment_attempt add column left_at timestamptz;
