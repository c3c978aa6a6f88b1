-- The make-up payment of an adopted order, which may have been opened in the lost time as well. Paid a second time
-- since: both moneys are real, and a person gives one back.
create or replace function adopt_replenish(p_player_id uuid, p_billing_no text, p_facts jsonb) returns void
  language plpgsql as $$
declare
  v_replenish replenish;
  v_opened jsonb := nullif(p_facts -> 'replenish', 'null');
begin
  select * into v_replenish from replenish where replenish_id = p_facts ->> 'replenish_id' for update;
  if not found then
    if v_opened is null then perform refuse_adoption('replenish_unknown'); end if;
    insert into replenish (replenish_id, player_id, brand_key, game_id, client_id, amount_minor, currency, reason,
        opened_by, reference, expires_at)
      values (p_facts ->> 'replenish_id', p_player_id, p_facts ->> 'brand_key', p_facts ->> 'game_id',
        p_facts ->> 'client_id', (p_facts ->> 'amount_minor')::bigint, p_facts ->> 'currency', v_opened ->> 'reason',
        v_opened ->> 'opened_by', v_opened ->> 'reference', (v_opened ->> 'expires_at')::timestamptz);
  elsif v_replenish.state <> 'open' or v_replenish.player_id <> p_player_id then
    perform refuse_adoption('replenish_paid_twice');
  end if;
  perform take_replenish(p_player_id, p_billing_no, p_facts);
end $$;
