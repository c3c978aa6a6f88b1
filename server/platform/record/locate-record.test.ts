// Two shops never find each other's callbacks.
import { expect, test } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { locateCallbackRecord } from './locate-record.ts';

const locate = (variables: Record<string, string>) => {
  const read = readConfig({ REFILL_ENVIRONMENT: 'demo', DATABASE_URL: 'postgres://u:p@h/shop', ...variables });
  if ('faults' in read) throw new Error(read.faults.join(' '));
  return locateCallbackRecord(read.config);
};

test.each([
  [{ REFILL_DATA: '/data' }, '/data/callbacks/demo-shop'],
  [{ REFILL_DATA: '/data', REFILL_ENVIRONMENT: 'live' }, '/data/callbacks/live-shop'],
  [{ REFILL_SHOP: '/my-shop' }, '/my-shop/.data/callbacks/demo-shop'],
  [{ REFILL_DATA: '/data', REFILL_CALLBACK_RECORD: '/disk' }, '/disk/demo-shop'],
  [{ REFILL_CALLBACK_RECORD: '/disk', DATABASE_URL: 'postgres:///other?host=/var/run' }, '/disk/demo-other'],
  [{ REFILL_CALLBACK_RECORD: '/disk', DATABASE_URL: 'postgresql://u@h:5432/a%2F..%2Fb?x=/c' }, '/disk/demo-a____b'],
  [{ REFILL_CALLBACK_RECORD: '/disk', DATABASE_URL: 'postgres://u@h' }, '/disk/demo-default'],
])('%o: %s', (variables, path) => {
  expect(locate(variables as Record<string, string>)).toBe(path);
});
