-- A company may say that an identity is over (Apple: consent revoked, account deleted). What it opened ends; the link is set aside under
-- the provider's name with '~gone', so that whoever comes back with the very same identity finds the account that it was.
alter table session add column identity_hash bytea;  -- SHA-256 of provider and subject that it was opened by; null: by other means
create index session_by_identity on session (identity_hash) where identity_hash is not null and revoked_at is null;
