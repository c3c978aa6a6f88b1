-- Limits, first-purchase bonuses, offers and rewards belong to the game account where games keep the accounts
-- (decision 71). Their counters are kept by account: that of the game, or the player where the shop keeps the accounts.

-- A keyed hash of the game and the user id in it; null for an account of the shop. Players of several brands, and the
-- one of super mode, share it.
alter table player add column game_account_id uuid;
create index player_by_game_account on player (game_account_id) where game_account_id is not null;
do $$
declare
  v_key constant bytea := (select key from guard_key);
  r record;
begin
  for r in select player_id, subject from player_identity where provider = any ('{game,game~beta}'::text[]) loop
    update player set game_account_id = left(encode(sha256(v_key || sha256(v_key
        || convert_to('game account/' || r.subject, 'UTF8'))), 'hex'), 32)::uuid
      where player_id = r.player_id and erased_at is null;
  end loop;
end $$;

alter table limit_counter rename column player_id to account_id;
alter table carried_use rename column player_id to account_id;
insert into table_exception (table_name, reason) values
  ('limit_counter', 'by account: several players of one game account share a counter'),
  ('carried_use', 'by account, as limit_counter');

-- What an order holds: now also the use of an offer. account_id: whose counter it is of; null where nothing is counted.
alter table reservation add column account_id uuid;
alter table reservation drop constraint reservation_kind_check;
alter table reservation add constraint reservation_kind_check
  check (kind = any ('{limit,stock,coupon,code,bonus,replenish,offer}'::text[]));
update reservation r set account_id = coalesce(p.game_account_id, p.player_id) from player p
  where p.player_id = r.player_id and r.kind in ('limit', 'bonus');
insert into reservation (player_id, billing_no, kind, game_id, product_id, subject, period, cap, state, account_id)
  select r.player_id, r.billing_no, 'offer', '', substring(r.subject from '^offer:(.*):[0-9]+$'), 'offer', 'ever', 1,
    r.state, coalesce(p.game_account_id, p.player_id)
  from reservation r join player p on p.player_id = r.player_id
  where r.kind = 'coupon' and r.subject ~ '^offer:[^:@]+:[0-9]+$';
alter table reservation add constraint reservation_account_check
  check ((account_id is not null) = (kind = any ('{limit,bonus,offer}'::text[])));
create index reservation_by_account on reservation (account_id, product_id) where account_id is not null;

alter table reward add column account_id uuid;
update reward w set account_id = coalesce(p.game_account_id, p.player_id) from player p
  where p.player_id = w.player_id;
alter table reward alter column account_id set not null;
create index reward_by_account on reward (account_id, issue_key);

-- Players of one game account counted apart until now: their counts are summed, and exceed nothing.
insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
  select p.game_account_id, c.game_id, c.product_id, c.subject, c.period, sum(c.used)::integer,
    greatest(max(c.cap), sum(c.used))::integer
  from limit_counter c join player p on p.player_id = c.account_id
  where p.game_account_id is not null group by 1, 2, 3, 4, 5;
delete from limit_counter c using player p where p.player_id = c.account_id and p.game_account_id is not null;
insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
  select account_id, game_id, product_id, subject, period, count(*), count(*) from reservation
  where kind = 'offer' and state <> 'released' group by 1, 2, 3, 4, 5;
insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
  select account_id, '', issue_key, 'reward', 'ever', count(*), count(*) from reward
  where state <> 'rejected' group by 1, 3;
insert into carried_use (account_id, game_id, product_id, subject_hash, period, used)
  select p.game_account_id, u.game_id, u.product_id, u.subject_hash, u.period, max(u.used)
  from carried_use u join player p on p.player_id = u.account_id
  where p.game_account_id is not null group by 1, 2, 3, 4, 5;

-- They are called with the account now.
drop function if exists lock_first_bonus(uuid, text, text, jsonb);
drop function if exists take_first_bonus(uuid, text, text, text, jsonb);
drop function if exists reserve_goods(
  uuid, text, text, text, text, bigint, text, text, jsonb, boolean, jsonb, jsonb, jsonb, jsonb, jsonb);

-- Moments of visits are one row a call: a visitor's texts are stored once, however many moments a call carries.

alter table track_event rename to track_call;
alter table track_call rename column event_no to call_no;
alter index track_event_by_time rename to track_call_by_time;
alter table track_call rename constraint track_event_pkey to track_call_pkey;
alter sequence track_event_event_no_seq rename to track_call_call_no_seq;
-- [{event, id, data, at}]; at by the clock of the browser, or null
alter table track_call add column events jsonb;
update track_call set events = jsonb_build_array(jsonb_build_object('event', event, 'id', id, 'data', data, 'at', at));
alter table track_call alter column events set not null;
alter table track_call drop column event, drop column id, drop column data, drop column at;

update table_exception set table_name = 'track_call' where table_name = 'track_event';
