-- What a player knows a session again by, "Chrome, Android": the two words, not the user agent, which would say more than is needed.
alter table session add column device text not null default '' check (length(device) <= 60);
