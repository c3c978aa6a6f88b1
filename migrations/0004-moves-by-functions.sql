-- What follows a change of an order's state (unpaid_order, webhook_message) is written by the functions that change it
-- (note_order_move), no more by triggers: a table that is spread over machines can have none (decision 64).

drop trigger if exists unpaid_order_placed on orders;
drop trigger if exists unpaid_order_closed on orders;
drop trigger if exists order_event_noted on orders;
drop function if exists note_unpaid_order();
drop function if exists note_order_event();
-- A function of one order now (record_failed_delivery); no server calls it.
drop function if exists record_failed_deliveries(jsonb);
