// Tests the lines of `refill plan` about the settings of its environment, beside the files.
import { expect, test } from 'vitest';
import { listSettingFaults } from './setting-faults.ts';

test('values that a start would refuse are told all at once, with old names', () => {
  const faults = listSettingFaults({
    REFILL_ENVIRONMENT: 'live',
    REFILL_HEALTH_PORT: '9000',
    REFILL_PAYPAL_LIVE_CALLS_PER_SECOND: 'ten',
    REFILL_PAGSMILE_LIVE_NOTIFY_MAX_AGE_SECONDS: '1 day',
    REFILL_PAGSMILE_DEMO_NOTIFY_MAX_AGE_SECONDS: '1 day',
  });
  expect(faults.map(({ name }) => name)).toEqual([
    'REFILL_HEALTH_PORT',
    'REFILL_PAGSMILE_LIVE_NOTIFY_MAX_AGE_SECONDS',
    'REFILL_PAYPAL_LIVE_CALLS_PER_SECOND',
  ]);
});

test('none without settings', () => {
  expect(listSettingFaults({})).toEqual([]);
});
