// How far a player is: the next level, what is left to it, and the bar. Pure.
import type { VipInfo, VipLevelInfo } from '#contracts/vip.ts';

export type Standing = {
  /** Null at the highest. */
  next: VipLevelInfo | null;
  /** Points that are missing for the next level; 0 at the highest. */
  left: number;
  /** Of the points that the next level needs; 100 at the highest. */
  percent: number;
};

/** @param levels from the lowest */
export function standingOf(levels: readonly VipLevelInfo[], { total_points: points }: VipInfo): Standing {
  const next = levels.find((level) => level.need_points > points) ?? null;
  if (!next) return { next, left: 0, percent: 100 };
  return { next, left: next.need_points - points, percent: percentOf(points, next.need_points) };
}

/** @source specification section 5: "VIP progress percent is capped at 100, two decimals" */
export function percentOf(points: number, needed: number): number {
  if (needed <= 0) return 100;
  // Down, so that a bar is full only when the level is there.
  return Math.min(100, Math.max(0, Math.floor((points * 10_000) / needed) / 100));
}
