import { expect, test } from 'vitest';
import { loadTexts } from '#server/platform/texts.ts';
import { refuseDeclined } from './declined.ts';

const texts = loadTexts();

test.each([
  ['level_too_low', 'level is too low'],
  ['bag_full', 'bag is full'],
  ['already_owned', 'already owns'],
  ['server_closed', 'server is closed'],
  ['blocked', 'cannot receive anything'],
  ['role_not_found', 'Character not found'],
  ['limit_reached', 'limit reached'],
])('%s has a sentence of its own', (reason, part) => {
  const answer = refuseDeclined(reason);
  expect(answer).toMatchObject({ code: 'goodsDeclined', content: null });
  expect(texts('en', answer.text ?? '')).toContain(part);
});

test.each(['product_not_allowed', 'our_own_reason', 'constructor', ''])('%j is told in general', (reason) => {
  expect(refuseDeclined(reason)).toEqual({ code: 'goodsDeclined', content: null });
});
