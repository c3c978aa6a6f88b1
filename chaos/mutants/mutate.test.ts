// Tests which mutants are made.
import { expect, test } from 'vitest';
import { listMutants } from './mutate.ts';

const SQL = `-- if a then b > c and d = 1
create or replace function f(p_player_id uuid) returns text language plpgsql as $$
begin
  if a.x is not true then return 'if x then y > z'; end if;
  update t set n = n + 1 where player_id = p_player_id and billing_no = b and used < total;
  if not found then return 'no'; end if;
  return 'yes';
end $$;
`;

test('conditions are decided, dropped and flipped, one at a time; texts, comments and the player are left alone', () => {
  const mutants = listMutants('f', SQL);
  expect(mutants.map(({ line, from, to }) => `${line}: ${from} -> ${to}`)).toEqual([
    '4: a.x is not true -> false',
    '4: a.x is not true -> true',
    '4: is not true -> is true',
    '5: and billing_no = b -> ',
    '5: and used < total -> ',
    '5: < -> <=',
    '6: not found -> false',
  ]);
  for (const { sql } of mutants) {
    expect(sql.split('\n')[0]).toBe(SQL.split('\n')[0]);
    expect(sql).toContain("return 'if x then y > z'");
  }
});
