-- A page of the brand's own host may ask a backup host for its player: cookies do not go there, so it shows a token of a quarter of an hour
-- that leads to its session. What it leads to counts, so it ends with the session, at once.
create table backup_token (
  token_hash   bytea primary key,     -- SHA-256; the token itself is in the memory of one page only
  session_hash bytea not null,        -- token_hash of the session
  expires_at   timestamptz not null
);
create index backup_token_by_age on backup_token (expires_at);
insert into table_exception values ('backup_token', 'looked up by a secret before the player is known; a quarter of an hour old at most');
