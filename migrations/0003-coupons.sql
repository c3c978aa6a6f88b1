-- Who took an unused coupon back: what a rule took (a level that was lost) is had again with the rule's reason for it,
-- what an operator took is not.
alter table coupon add column withdrawn_by text,
  add constraint coupon_withdrawn_by_check check (withdrawn_by is null or state = 'void');
