-- In a quiet hour nothing is unpaid or open. Statistics taken then say that the indexes of what is are empty, and reading all of such an index looks
-- as cheap as reading one player's part of another: every order then read all unpaid orders of the shop, by the thousand when the rush came.
-- With a condition that only the looks for what is due have, nothing else can choose these indexes.
drop index orders_expiring, payment_attempt_due;
create index orders_expiring on orders (expires_at) where is_unpaid and expires_at > '-infinity';
create index payment_attempt_due on payment_attempt (next_query_at) where is_open and next_query_at > '-infinity';
