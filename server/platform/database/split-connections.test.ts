import { expect, test } from 'vitest';
import { splitConnections } from './split-connections.ts';

test.each([
  [2, 0, 2],
  [5, 0, 5],
  [6, 2, 4],
  [9, 3, 6],
  [12, 4, 8],
  [200, 4, 196],
])('of %i connections batches have %i and all else %i', (poolSize, forBatches, others) => {
  expect(splitConnections({ poolSize, sharesTransactions: true })).toEqual({ forBatches, others });
});

test('where every step has a transaction of its own there are no batches', () => {
  expect(splitConnections({ poolSize: 12, sharesTransactions: false })).toEqual({ forBatches: 0, others: 12 });
});
