-- VIP: points that a player earns with the price of orders, and the coupons of levels (decision 33).

-- What the price of the order is worth when it is delivered. Null: the brand had no VIP programme, or the order is from before.
alter table orders add column points bigint;
-- How much of the price went back, by refund or chargeback. Null: nothing; the points of it are not kept.
alter table orders add column refunded_minor bigint;

-- Append only: a player's points are the sum. Written by the step that books the delivery, the refund or the chargeback.
create table points_entry (
  player_id  uuid not null,
  billing_no text not null,  -- empty: given or taken by an operator
  kind       text not null,
  entry_no   integer not null,  -- counts the entries of one order, or those of operators
  points     bigint not null,
  created_at timestamptz not null default now(),
  primary key (player_id, billing_no, kind, entry_no),
  constraint points_entry_kind_check check (kind = any ('{delivered,refunded,chargeback,operator}'::text[])),
  constraint points_entry_points_check check (points <> 0),
  constraint points_entry_operator_check check ((kind = 'operator') = (billing_no = ''))
);

-- Of a level's coupon: the points that its holder must have. With fewer it is withdrawn, unless an order has it.
alter table coupon add column need_points bigint;
