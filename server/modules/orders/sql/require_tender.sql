-- An internal tender is a balance {kind: wallet, spends} or a prepaid card
-- {kind: card, purpose, channel, card_id, card_key, password_hmac, network, keeps_rest}.
create or replace function require_tender(p_tender jsonb) returns void language plpgsql immutable as $$
begin
  if p_tender ->> 'kind' = 'wallet' then
    perform require_keys('tender', p_tender, '{spends}');
  elsif p_tender ->> 'kind' = 'card' then
    perform require_keys('tender', p_tender, '{purpose,channel,card_id,card_key,password_hmac,network,keeps_rest}');
  else
    raise exception 'tender: the kind % is neither wallet nor card',
      p_tender ->> 'kind' using errcode = 'null_value_not_allowed';
  end if;
end $$;
