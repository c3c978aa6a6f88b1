// The VIP centre as a player has it: level, progress, rewards to claim, coupons in their tabs.
import { expect, test } from 'vitest';
import type { Coupon } from '#contracts/coupons.ts';
import type { VipBasicInfo, VipInfo } from '#contracts/vip.ts';
import { english } from '#testing/english.ts';
import { type Canned, appear, draw, find, press, serve, shownText, speak } from '#web/platform/test-page.tsx';
import { setUser } from '#web/platform/visitor/session.ts';
import { VipCentre } from './VipCentre.tsx';

speak(english);
const coupon = (id: string, type: 'permanent' | 'week') => ({
  id,
  type,
  name: '{}',
  name_shown: `Coupon ${id}`,
  discount_rate: '0.8',
  days: 0,
  min_spend_shown: {},
});
const programme: VipBasicInfo = {
  point_to_coin: [{ currency: 'USD', coin: '1.00', coin_shown: '$1.00', points: 10 }],
  faq_title: 'How VIP works',
  faq_content: '<p>Buy <b>more</b>.</p><script>alert(1)</script>',
  vip_level_infos: [
    { level_id: 'bronze', level_name: 'Bronze', level_show: 'V1', need_points: 0, coupons_list: [] },
    { level_id: 'silver', level_name: 'Silver', level_show: 'V2', need_points: 50, coupons_list: [coupon('s', 'week')] },
    { level_id: 'gold', level_name: 'Gold', level_show: 'V3', need_points: 500, coupons_list: [coupon('g', 'permanent')] },
  ],
}; /* a row a line */ // prettier-ignore
const info = (over: Partial<VipInfo> = {}): VipInfo => ({
  vip_level: 'silver',
  vip_level_name: 'Silver',
  vip_level_show: 'V2',
  total_points: 166,
  level_coupons: [
    { id: 's', code: 's.2026-11-16', state: 'claimable', valid_end_time: 0 },
    { id: 'g', code: 'g', state: 'locked', valid_end_time: 0 },
  ],
  ...over,
});
const owned = (over: Partial<Coupon>): Coupon =>
  ({
    code: 'c', name: '{}', name_shown: 'A coupon', use_category: 'avail', is_used: false, used_time: 0, valid_start_time: 0,
    valid_end_time: Date.UTC(2026, 10, 30, 12), time_zone: 'Asia/Tokyo', discount_rate: '0.9', billing_no: '', products: [],
    min_spend_shown: {}, is_applicable: false, ...over,
  }) as Coupon; /* a row a line */ // prettier-ignore

const user = { username: 'kestrel', suid: 'u', oauth_token: 't', gp_id: '1' };
const show = async (more: Record<string, Canned | Canned[]> = {}, isLoggedIn = true) => {
  const calls = serve({
    '/api/coupons/vipBasicInfo': { content: programme },
    '/api/coupons/vipInfo': { content: info() },
    ...more,
  });
  await draw(null);
  setUser(isLoggedIn ? user : null);
  await draw(<VipCentre topUp={<a href="/selectGoods">Top up</a>} />);
  return calls;
};

test('L70 L206 shows level, points, the way to the next level, and what a dollar earns', async () => {
  await show();
  await appear('166 growth points', '*');
  const text = shownText();
  expect(text).toContain('V2');
  expect(text).toContain('334 more points to Gold');
  expect(text).toContain('33.20%');
  expect(text).toContain('10 growth points for every $1.00 you spend');
  expect(find('Top up').getAttribute('href')).toBe('/selectGoods');
  expect(document.querySelector('progress')?.value).toBe(33.2);
});

test('L135 says that the highest level is reached', async () => {
  await show({ '/api/coupons/vipInfo': { content: info({ vip_level: 'gold', total_points: 9000 }) } });
  await appear('You have reached the highest level.', '*');
  expect(shownText()).toContain('100.00%');
});

test('L12 L71 levels with their rewards and the questions, told as text', async () => {
  await show();
  await appear('How VIP works', '*');
  expect(shownText()).toContain('From 500 points');
  expect(shownText()).toContain('Every week');
  expect(document.querySelector('details b')?.textContent).toBe('more');
  expect(document.querySelector('script')).toBeNull();
  expect(shownText()).toContain('Locked');
});

test('L108 a reward is claimed with its code, and the page reads what is so now', async () => {
  const claimed = info({
    level_coupons: [{ id: 's', code: 's.2026-11-16', state: 'claimed', valid_end_time: 0 }],
  });
  const calls = await show({
    '/api/coupons/vipInfo': [{ content: info() }, { content: claimed }],
    '/api/coupons/receiveCoupons': { content: {} },
  });
  await appear('Claim');
  await press('Claim');
  await appear('Claimed', '*');
  expect(calls.find(({ path }) => path.endsWith('receiveCoupons'))?.fields).toMatchObject({ code: 's.2026-11-16' });
  expect(shownText()).toContain('Coupon s is yours.');
});

test('L57 rewards and coupons, those claimable, usable, unavailable and over', async () => {
  await show({
    '/api/coupons/couponList': {
      content: {
        list: [
          owned({ code: 'a', name_shown: 'To claim', use_category: 'claim' }),
          owned({ code: 'b', name_shown: 'To use', use_category: 'avail' }),
          owned({ code: 'c', name_shown: 'Not yet', use_category: 'lock' }),
          owned({ code: 'd', name_shown: 'Was used', use_category: 'history', is_used: true, used_time: 0 }),
        ],
      },
    },
  });
  await appear('Rewards');
  await press('Coupons');
  await appear('To claim', '*');
  for (const [tab, name] of [
    ['Usable', 'To use'],
    ['Unavailable', 'Not yet'],
    ['History', 'Was used'],
  ] as const) {
    await press(tab);
    await appear(name, '*');
    expect(shownText()).not.toContain('To claim');
  }
  await press('Usable');
  expect(shownText()).toContain('Until 2026/11/30 21:00 UTC+9');
});

test('without a login the levels are shown, and a way in', async () => {
  await show({}, false);
  await appear('Log in to see your points and claim your coupons.', '*');
  expect(shownText()).toContain('Gold');
});

test('what does not load says so and can be asked again', async () => {
  await show({ '/api/coupons/vipBasicInfo': [{ name: 'notFound' }, { content: programme }] });
  await appear('Your VIP page did not load', '*');
  await press('Try again');
  await appear('166 growth points', '*');
  expect(shownText()).not.toContain('did not load');
});
