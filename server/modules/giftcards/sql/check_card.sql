-- As before, but for what freezes. A right password is no guess, whatever else is wrong with the card: it counts
-- against account and address
-- only.
create or replace function check_card(p jsonb) returns jsonb language plpgsql as $$
declare
  v_player uuid := (p ->> 'player_id')::uuid;
  v_subjects text[];
  v_is_held boolean;
  v_is_frozen boolean;
  v_found record;
  v_reason text;
begin
  v_subjects := array(select s from unnest(array['a:' || v_player, 'd:' || v_player, 'c:' || (p ->> 'card_key'),
    'i:' || (p ->> 'ip')]) s
    where s is not null order by s);
  -- Taken and held to the end of the transaction, in one order: guesses that come at once are counted one after
  -- the other.
  with aged as (
    select s, now() - case left(s, 1) when 'c' then interval '1000 years' when 'd' then interval '1 day'
      else interval '15 minutes' end as oldest
    from unnest(v_subjects) s
  ), counted as (
    insert into card_miss as m (subject, misses) select s, 0 from aged order by s
      on conflict (subject) do update set misses = case when m.since < (select oldest from aged where s = m.subject)
        then 0 else m.misses end,
        since = case when m.since < (select oldest from aged where s = m.subject) then now() else m.since end
      returning subject, misses >= misses_until_frozen(subject) as is_full
  )
  select coalesce(bool_or(is_full) filter (where left(subject, 1) <> 'c'), false),
    coalesce(bool_or(is_full) filter (where left(subject, 1) = 'c'), false)
    into v_is_held, v_is_frozen from counted;
  select c.card_id, c.state, c.issued_to, c.password_hmac = decode(p ->> 'password_hmac', 'hex')
    as is_right, b.batch_id, b.brand_key, b.channel,
      b.game_id, b.product_id, b.face_minor, b.currency, b.gems_number, b.extra_gems, b.valid_from <= now() as is_begun,
      greatest(b.valid_to, c.valid_to) <= now() as is_ended, greatest(b.valid_to, c.valid_to) as valid_to
    into v_found from gift_card c join gift_card_batch b using (batch_id) where c.card_id = p ->> 'card_id';
  v_reason := case
    when v_is_held then 'frozen'
    when v_is_frozen then 'card_frozen'
    when v_found.card_id is null then 'unknown'
    when not v_found.is_right then 'wrong'
    when v_found.brand_key <> p ->> 'brand_key' then 'other_brand'
    when v_found.state in ('void', 'created') then v_found.state
    when p ->> 'purpose' = 'login' then case when v_found.issued_to is null then 'not_issued' end
    when v_found.state <> 'active' then v_found.state
    when not v_found.is_begun then 'not_begun'
    when v_found.is_ended then 'expired'
    when v_found.game_id <> p ->> 'game_id' then 'other_game'
    when v_found.channel <> p ->> 'channel' then 'other_channel'
    when p ->> 'purpose' = 'confirm' and v_found.product_id is null then 'not_for_goods'
  end;
  insert into card_try (brand_key, player_id, ip, card_key, card_id, purpose, outcome)
    values (p ->> 'brand_key', v_player, p ->> 'ip', p ->> 'card_key', v_found.card_id, p ->> 'purpose',
      coalesce(v_reason, 'ok'));
  if v_reason is not null then
    -- Whoever is held learns and costs nothing; whoever tries a frozen card goes on being counted.
    if v_reason <> 'frozen' then
      update card_miss set misses = misses + 1,
          card_id = case when left(subject, 1) = 'c' and v_reason = 'wrong' then v_found.card_id else card_id end
        where subject = any(v_subjects) and (left(subject, 1) <> 'c' or v_reason in ('unknown', 'wrong'));
      -- What nobody has counted for a day goes out a little at a time.
      delete from card_miss where subject in
        (select subject from card_miss where since < now() - interval '1 day' and card_id is null limit 10
          for update skip locked);
    end if;
    return jsonb_build_object('outcome', 'refused', 'reason', v_reason);
  end if;
  return jsonb_build_object('outcome', 'ok', 'card_id', v_found.card_id, 'batch_id', v_found.batch_id, 'channel',
    v_found.channel, 'game_id', v_found.game_id,
    'product_id', v_found.product_id, 'face_minor', v_found.face_minor, 'face_currency', v_found.currency,
      'gems_number', v_found.gems_number,
    'extra_gems', v_found.extra_gems, 'issued_to', v_found.issued_to, 'valid_to', v_found.valid_to);
end $$;
