-- Money that goes back in parts, and a refund that fails after it was done (decision 67).

-- A part has a kind of its own, by its number: an entry is told by its kind. refund_failed books a refund back;
-- refund_repaid is that money, paid by a person.
alter table ledger_entry drop constraint ledger_entry_kind_check;
alter table ledger_entry add constraint ledger_entry_kind_check
  check (kind = any ('{paid,delivered,refunded,overpayment,overpayment_refunded,chargeback,refund_failed,refund_repaid}'
    ::text[]) or kind ~ '^part_refunded_[1-9]$');

-- Late money is measured by the terms of its code, and being for a first purchase is one of them.
alter table promo_code add column is_first boolean not null default false;

-- Dead letters: payments that could not be read, of orders that went on by another one.
create index payment_attempt_unreadable on payment_attempt (created_at) where unreadable_reason is not null;
-- It is told the amount now; only functions called it.
drop function if exists book_chargeback(uuid, text, integer);

-- When the player last left the provider's page by its way to cancel. A word to the player, never a fact about money.
alter table payment_attempt add column left_at timestamptz;
