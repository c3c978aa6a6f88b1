-- Takes a player whose person is erased out of their game account (account_of): what they used up stays used there,
-- without them, for the other brands and for whoever comes back; the orders and rewards that used it are counted for
-- the erased player alone from then on, and lead to no account. The caller holds the lock of the player.
create or replace function leave_account(p_player_id uuid) returns void language plpgsql as $$
declare
  v_account_id constant uuid := account_of(p_player_id);
  v_purchase constant text := guard_hash('purchase');
  v_hash text;
  r record;
begin
  if v_account_id = p_player_id then return; end if;
  -- Locked in the order of reserve_goods.
  for r in
    select u.game_id, u.product_id, u.subject, u.period, count(*)::integer as used from (
      select game_id, product_id, subject, period from reservation
        where player_id = p_player_id and account_id = v_account_id and state <> 'released'
      union all
      select '', issue_key, 'reward', 'ever' from reward
        where player_id = p_player_id and account_id = v_account_id and state <> 'rejected') u
    group by 1, 2, 3, 4 order by coalesce(array_position(array['first', 'offer', 'reward'], u.subject), 0), 1, 2, 3, 4
  loop
    v_hash := guard_hash(r.subject);
    update limit_counter set used = used - r.used where account_id = v_account_id and game_id = r.game_id
      and product_id = r.product_id and subject = r.subject and period = r.period;
    insert into limit_counter (account_id, game_id, product_id, subject, period, used, cap)
      values (p_player_id, r.game_id, r.product_id, r.subject, r.period, r.used, r.used);
    insert into carried_use as c (account_id, game_id, product_id, subject_hash, period, used)
      values (v_account_id, r.game_id, r.product_id, v_hash, r.period, r.used)
      on conflict (account_id, game_id, product_id, subject_hash, period) do update set used = c.used + excluded.used;
  end loop;
  if exists (select from orders where player_id = p_player_id and delivered_at is not null
      union all select from archived_buyer where player_id = p_player_id) then
    insert into carried_use (account_id, game_id, product_id, subject_hash, period, used)
      values (v_account_id, '', '', v_purchase, 'ever', 1) on conflict do nothing;
  end if;
  update reservation set account_id = p_player_id where player_id = p_player_id and account_id = v_account_id;
  update reward set account_id = p_player_id where player_id = p_player_id;
  update reward set basis = basis || '{"is_partly_erased": true}' where account_id = v_account_id;
  -- The last one: nobody counts there now, and the counters name characters.
  if not exists (select true from player where game_account_id = v_account_id and player_id <> p_player_id) then
    delete from limit_counter where account_id = v_account_id;
  end if;
  update player set game_account_id = null where player_id = p_player_id;
  insert into player_change (player_id) values (p_player_id), (v_account_id);
end $$;
