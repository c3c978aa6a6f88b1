-- Where an order came from, as its pay call said: utm_pay, traffic_source, did, session_id, session_time,
-- game_channel_id, platform. A stranger's words: shown to people and counted, never decided by.

alter table orders add column origin jsonb;
