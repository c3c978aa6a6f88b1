import { expect, test } from 'vitest';
import type { VipLevelInfo } from '#contracts/vip.ts';
import { percentOf, standingOf } from './rules.ts';

const levels = [0, 100, 300].map((need_points): VipLevelInfo => ({
  level_id: `l${need_points}`,
  level_name: '',
  level_show: '',
  need_points,
  coupons_list: [],
}));
const info = (total_points: number) => ({
  vip_level: '',
  vip_level_name: '',
  vip_level_show: '',
  total_points,
  level_coupons: [],
});

test.each([
  [0, 300, 0],
  [1, 300, 0.33],
  [100, 300, 33.33],
  [200, 300, 66.66],
  [299_999, 300_000, 99.99],
  [300, 300, 100],
  [9_000, 300, 100],
  [-3, 300, 0],
])('L125 %i of %i points are %f percent, two decimals, 100 at most', (points, needed, percent) => {
  expect(percentOf(points, needed)).toBe(percent);
});

test('L206 points needed for the next level; L135 none at the highest', () => {
  expect(standingOf(levels, info(30))).toMatchObject({ next: { need_points: 100 }, left: 70, percent: 30 });
  expect(standingOf(levels, info(100))).toMatchObject({ next: { need_points: 300 }, left: 200, percent: 33.33 });
  expect(standingOf(levels, info(300))).toEqual({ next: null, left: 0, percent: 100 });
});
