-- Rewards: goods that nobody paid for, handed over by a grant of their own. A row is its own delivery, like a row of
-- the table delivery: leased, called, retried, and it stays as the proof that the reward was given.

create table reward (
  player_id  uuid not null,
  reward_no  text not null,  -- key of the grant; never the shape of an order's number
  -- "event/<game>/<activity>/<step>": given once to a player
  issue_key  text not null,
  brand_key  text not null,
  game_id    text not null,
  client_id  text not null,
  server_id  text not null,
  area_id    text not null,
  role_id    text not null,
  role_name  text not null,
  suid       text not null,
  product_id text not null,
  gifts      jsonb not null,
  title      jsonb not null,
  -- What it was given for, as the files said then: the files change, and this must still be recomputed from the orders.
  basis      jsonb not null,
  state      text not null default 'queued',
  tries      integer not null default 0,
  next_at    timestamptz not null default now(),
  receipt_id text,
  last_error text,
  created_at timestamptz not null default now(),
  done_at    timestamptz,
  primary key (player_id, reward_no),
  constraint reward_no_check check (reward_no ~ '^RW-[0-9A-HJKMNP-TV-Z]{26}$'),
  constraint reward_state_check check (state = any ('{queued,calling,done,rejected,unknown,dead}'::text[]))
) with (fillfactor=70);
-- Once: a certain no of the game gives the step back, to be received again under another number.
create unique index reward_once on reward (player_id, issue_key) where state <> 'rejected';
create index reward_due on reward (next_at) where state in ('queued', 'calling', 'unknown');
create index reward_by_time on reward using brin (created_at);
