// The catalogue of invariants: each has a number of its own, by which people and alarms name it, and its sentence.
import { expect, test } from 'vitest';
import { openTestDatabase } from '#testing/database.ts';
import { listInvariantViews } from './store.ts';

test('every invariant has a number of its own and a sentence', async () => {
  const { db, drop } = await openTestDatabase(1);
  try {
    const views = await listInvariantViews(db);
    const numbers = views.map(({ name }) => /^invariant_(i\d+)_/.exec(name)?.[1]);
    expect(views.length).toBeGreaterThan(20);
    expect(numbers).toEqual([...new Set(numbers)]);
    expect(views.filter(({ sentence }) => !sentence)).toEqual([]);
  } finally {
    await drop();
  }
});
