create or replace function undo_in_place(p jsonb, p_billing text) returns void language plpgsql as $$
begin
  -- Of a balance nothing was taken yet but the lock.
  update gift_card set state = 'active', player_id = null, billing_no = null, attempt_no = null, spent_at = null, rest_minor = 0
    where p ->> 'kind' = 'card' and card_id = p ->> 'card_id' and billing_no = p_billing;
end $$;
