-- Counts, compares and writes down one attempt with a prepaid card. `ok` carries the card's facts; `refused` a reason
-- that is for the log only. The player is null at a login, where nobody is known yet. Everything else that decides must
-- be there.
create or replace function check_card(
  p_player_id uuid, p_brand_key text, p_purpose text, p_card_id text, p_card_key text, p_password_hmac bytea,
  p_network text, p_game_id text, p_channel text
) returns jsonb language plpgsql as $$
declare
  v_subjects text[];
  v_is_held boolean;
  v_is_locked_out boolean;
  v_was_here boolean;
  v_found record;
  v_reason text;
begin
  if num_nulls(p_brand_key, p_purpose, p_card_id, p_card_key, p_password_hmac, p_network) > 0 then
    raise null_value_not_allowed using message = 'check_card: brand, purpose, card, password and network must be given';
  end if;
  if p_purpose <> 'login' and num_nulls(p_player_id, p_game_id, p_channel) > 0 then
    raise null_value_not_allowed using
      message = format('check_card: to %s, player, game and channel must be given', p_purpose);
  end if;
  v_subjects := array(
    select s from unnest(array['a:' || p_player_id, 'd:' || p_player_id, 'c:' || p_card_key]) s
    where s is not null order by s);
  -- Locked to the end of the transaction, in one order: attempts that come at once are counted one after the other.
  with aged as (
    select s, now() - case left(s, 1) when 'd' then interval '1 day' when 'a' then interval '15 minutes' end as oldest
    from unnest(v_subjects) s
  ), counted as (
    insert into card_failed_attempt as f (subject, attempts) select s, 0 from aged order by s
      on conflict (subject) do update set
        attempts = case
          when f.since < (select oldest from aged where s = f.subject) or f.locked_until <= now() then 0
          else f.attempts end,
        since = case when f.since < (select oldest from aged where s = f.subject) then now() else f.since end,
        locked_until = case when f.locked_until > now() then f.locked_until end
      returning subject, attempts >= max_failed_attempts(subject) as is_full
  )
  select coalesce(bool_or(is_full) filter (where left(subject, 1) <> 'c'), false),
      coalesce(bool_or(is_full) filter (where left(subject, 1) = 'c'), false)
    into v_is_held, v_is_locked_out from counted;
  select c.card_id, c.state, c.issued_to, c.password_hmac = p_password_hmac as is_right, b.batch_id, b.brand_key,
      b.channel, b.game_id, b.product_id, b.face_minor, b.currency, b.gems_number, b.extra_gems,
      b.valid_from <= now() as is_begun, greatest(b.valid_to, c.valid_to) <= now() as is_ended,
      greatest(b.valid_to, c.valid_to) as valid_to
    into v_found from gift_card c join gift_card_batch b using (batch_id) where c.card_id = p_card_id;
  -- The lockout stops strangers: a right password from whoever proved the card before is let through, by the account, or
  -- at a login, where nobody is known yet, by the network.
  v_was_here := v_is_locked_out and v_found.is_right is true and exists (
    select from card_try t where t.card_id = p_card_id and t.outcome = 'ok'
      and case when p_player_id is null then t.ip = p_network else t.player_id = p_player_id end);
  v_reason := case
    when v_is_held then 'account_locked_out'
    when v_is_locked_out and not v_was_here then 'card_locked_out'
    when v_found.card_id is null then 'unknown'
    when v_found.is_right is not true then 'wrong'
    when v_found.brand_key <> p_brand_key then 'other_brand'
    when v_found.state in ('void', 'created') then v_found.state
    when p_purpose = 'login' then case when v_found.issued_to is null then 'not_issued' end
    when v_found.state <> 'active' then v_found.state
    when not v_found.is_begun then 'not_begun'
    when v_found.is_ended then 'expired'
    when v_found.game_id <> p_game_id then 'other_game'
    when v_found.channel <> p_channel then 'other_channel'
    when p_purpose = 'confirm' and v_found.product_id is null then 'not_for_goods'
    when p_purpose = 'pay' and v_found.product_id is not null then 'for_goods'
  end;
  insert into card_try (brand_key, player_id, ip, card_key, card_id, purpose, outcome)
    values (p_brand_key, p_player_id, p_network, p_card_key, v_found.card_id, p_purpose, coalesce(v_reason, 'ok'));
  if v_reason is null then
    return jsonb_build_object('outcome', 'ok', 'card_id', v_found.card_id, 'batch_id', v_found.batch_id,
      'channel', v_found.channel, 'game_id', v_found.game_id, 'product_id', v_found.product_id,
      'face_minor', v_found.face_minor, 'face_currency', v_found.currency, 'gems_number', v_found.gems_number,
      'extra_gems', v_found.extra_gems, 'issued_to', v_found.issued_to, 'valid_to', v_found.valid_to);
  end if;
  -- An account that is locked out learns and costs nothing; whoever tries a card that is locked out goes on being
  -- counted.
  if v_reason <> 'account_locked_out' then
    -- A right password is no guess, whatever else is wrong with the card. Each lockout of a card is twice as long as
    -- the one before, from a day to thirty: its holder waits, and whoever knows only its number cannot shut it for
    -- ever.
    update card_failed_attempt set attempts = attempts + 1,
        card_id = case when left(subject, 1) = 'c' and v_reason = 'wrong' then v_found.card_id else card_id end,
        locked_until = case when left(subject, 1) = 'c' and attempts + 1 = max_failed_attempts(subject)
          then now() + least(interval '30 days', interval '1 day' * 2 ^ least(lockouts, 10)) else locked_until end,
        lockouts = lockouts
          + case when left(subject, 1) = 'c' and attempts + 1 = max_failed_attempts(subject) then 1 else 0 end
      where subject = any(v_subjects) and (left(subject, 1) <> 'c' or v_reason in ('unknown', 'wrong'));
    -- Counts older than a day go out a little at a time; those of cards that exist stay.
    delete from card_failed_attempt where subject in (
      select subject from card_failed_attempt where since < now() - interval '1 day' and card_id is null limit 10
      for update skip locked);
  end if;
  return jsonb_build_object('outcome', 'refused', 'reason', v_reason);
end $$;
