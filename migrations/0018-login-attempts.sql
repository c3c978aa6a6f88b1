-- Logins by other identities under way, and the way from a player to the identities that are linked.

create table login_attempt (
  state_hash   bytea primary key,        -- SHA-256 of what comes back from the provider; the text itself is with the browser only
  browser_hash bytea not null,           -- SHA-256 of a cookie: who began it
  brand_key    text not null,
  mode         text not null check (mode in ('sandbox', 'live')),
  kind         text not null,            -- google, ios, facebook, twitter, vk, huawei
  purpose      text not null check (purpose in ('login', 'link', 'replenish')),
  player_id    uuid,                     -- of a link: whose account gets the identity
  client_id    text not null,            -- the game one logs in for
  app_id       text not null,            -- the brand's app at the provider
  redirect_uri text not null,
  kept         jsonb not null,           -- nonce, code verifier, request token: what the second half needs
  display      text not null check (display in ('popup', 'page')),
  return_to    text not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  check ((purpose = 'link') = (player_id is not null))
);
create index login_attempt_by_age on login_attempt (expires_at);
insert into table_exception values ('login_attempt', 'begun before the player is known; ten minutes old at most');

create index player_identity_by_player on player_identity (player_id);
