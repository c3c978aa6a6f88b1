// The rule of server and page in tables; prices and bounds in minor units.
import { expect, test } from 'vitest';
import { type ChannelFacts, type PriceBounds, boundsAround, isWithinBounds, offeredSubs } from './channel-rules.ts';

test.each<[string, number | null, number | null, number, boolean]>([
  ['both open', null, null, 1, true],
  ['both zero', 0, 0, 1, true],
  ['both below zero', -1, -1, 1, true],
  ['at most', 0, 500, 500, true],
  ['above the most', null, 500, 501, false],
  ['at least', 500, 0, 500, true],
  ['below the least', 500, -1, 499, false],
  ['between, lower edge', 100, 500, 100, true],
  ['between, upper edge', 100, 500, 500, true],
  ['below both', 100, 500, 99, false],
  ['above both', 100, 500, 501, false],
])('L120 price filter: %s', (_name, min, max, price, isInside) => {
  expect(isWithinBounds(price, { min, max })).toBe(isInside);
});

const OPEN: PriceBounds = { min: null, max: null };
const facts = (more: Partial<ChannelFacts> = {}): ChannelFacts => ({
  hasIcon: true,
  isIosOnly: false,
  bounds: OPEN,
  ...more,
});
const fits = facts();
const refuses = facts({ bounds: { min: 500, max: null } });
const noIcon = facts({ hasIcon: false });
const apple = facts({ isIosOnly: true });

test.each<[string, ChannelFacts, ChannelFacts[], 'web' | 'ios', number[] | null]>([
  ['a plain channel', fits, [], 'web', []],
  ['no icon', noIcon, [], 'web', null],
  ['no icon, whatever its sub-channels', noIcon, [fits], 'web', null],
  ['its own bounds refuse', refuses, [], 'web', null],
  ['its own bounds refuse, a sub-channel takes it', refuses, [refuses, fits], 'web', [1]],
  ['its own bounds take it, no sub-channel does', fits, [refuses], 'web', []],
  ['none takes it', refuses, [refuses], 'web', null],
  ['a sub-channel without an icon is not lent one', refuses, [noIcon], 'web', null],
  ['Apple Pay elsewhere', apple, [], 'web', null],
  ['Apple Pay on iOS', apple, [], 'ios', []],
  ['Apple Pay as a sub-channel elsewhere', fits, [apple, fits], 'web', [1]],
])('L119 listing: %s', (_name, channel, subs, platform, offered) => {
  const found = offeredSubs(
    channel,
    subs.map((one, index) => ({ one, index })),
    ({ one }) => one,
    { price: 100, platform },
  );
  expect(found && found.map(({ index }) => index)).toEqual(offered);
});

test.each<[string, PriceBounds[], PriceBounds]>([
  ['two that overlap', [{ min: 100, max: 300 }, { min: 200, max: 900 }], { min: 100, max: 900 }],
  ['one without a least', [{ min: null, max: 300 }, { min: 200, max: 900 }], { min: null, max: 900 }],
  ['one without a most', [{ min: 100, max: 0 }, { min: 200, max: 900 }], { min: 100, max: null }],
])('bounds around sub-channels: %s', (_name, subs, around) => {
  expect(boundsAround(subs)).toEqual(around);
}); /* a row a line */ // prettier-ignore
