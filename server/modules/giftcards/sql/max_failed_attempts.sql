-- So many failed attempts of a subject of card_failed_attempt, and no more is looked at until its time is over: five in
-- a quarter of an hour ('a:') and twenty in a day ('d:') of an account, ten of a card ('c:').
create or replace function max_failed_attempts(p_subject text) returns integer language sql immutable as
  $$ select case left(p_subject, 1) when 'c' then 10 when 'd' then 20 else 5 end $$;
