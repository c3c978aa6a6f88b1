-- What a provider kept of a payment, by the moment of each movement: a second partial refund of one payment, in another
-- settlement file, took the place of the first one's fee. The same line read again is the same moment.
alter table settlement_fee drop constraint settlement_fee_pkey;
alter table settlement_fee add primary key (player_id, billing_no, attempt_no, movement, currency, at);
