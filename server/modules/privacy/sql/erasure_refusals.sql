-- Why a player cannot be erased yet, a reason and the number of what it is about; no row: they can. Each ends by itself
-- or by somebody's act:
--   open_order       not paid yet: paid, cancelled, or expired within the hour
--   money_under_way  a provider may still take money for an order that is closed, or its callback waits
--   goods_under_way  paid, and not in the game yet
--   review           a person of the shop has to decide
--   refund_due       money is owed to the player
--   dispute          a bank took the money back within the last 120 days, and the goods are still with the player
--   makeup_open      a make-up payment is open
--   balance          there is money in the balance, and the player has not given it up
create or replace function erasure_refusals(p_player_id uuid, p_gives_up_balance boolean)
  returns table (reason text, billing_no text) language plpgsql stable as $$
begin
  if num_nulls(p_player_id, p_gives_up_balance) > 0 then
    raise exception 'erasure_refusals: a parameter that decides is missing' using errcode = 'null_value_not_allowed';
  end if;
  return query
  with own as materialized (
    select o.billing_no, o.state, o.is_unpaid, o.delivered_at, o.review_reason from orders o
      where o.player_id = p_player_id
  )
  select case when o.is_unpaid then 'open_order' when o.state in ('review', 'refund_due') then o.state
      else 'goods_under_way' end, o.billing_no
    from own o where o.is_unpaid or o.state in ('paid', 'delivering', 'review', 'refund_due')
  union
  select 'money_under_way', a.billing_no from payment_attempt a join own o on o.billing_no = a.billing_no
    where a.player_id = p_player_id and a.is_open and not o.is_unpaid
      and (a.payable_until > now() or a.next_query_at is not null)
  union
  select 'money_under_way', c.billing_no from callback_inbox c
    where c.billing_no in (select o.billing_no from own o) and c.state = 'stored'
  union
  select 'refund_due', r.billing_no from refund r where r.player_id = p_player_id and r.state <> 'done'
  union
  select 'refund_due', l.billing_no from ledger_entry l
    where l.player_id = p_player_id and l.account = 'refund_owed'
    group by l.billing_no, l.currency having sum(l.amount_minor) <> 0
  union
  select case w.state when 'dead' then 'review' else 'goods_under_way' end, w.reward_no from reward w
    where w.player_id = p_player_id and w.state in ('queued', 'calling', 'unknown', 'dead')
  union
  select 'dispute', l.billing_no from ledger_entry l join own o on o.billing_no = l.billing_no
    where l.player_id = p_player_id and l.kind = 'chargeback' and l.created_at > now() - interval '120 days'
      and o.delivered_at is not null and not exists (select from revocation v
        where v.player_id = p_player_id and v.billing_no = l.billing_no and v.state in ('done', 'declined'))
  union
  select 'makeup_open', p.replenish_id from replenish p
    where p.player_id = p_player_id and p.state = 'open' and p.expires_at > now()
  union
  select 'balance', a.currency from wallet_account a
    where not p_gives_up_balance and a.player_id = p_player_id and a.kind in ('paid', 'free') and a.balance_minor > 0
  order by 1, 2;
end $$;
