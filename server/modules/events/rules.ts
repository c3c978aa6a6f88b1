// Computes a player's days of paying in an event: totals, runs of days, and the steps that they reach. The database
// decides a receipt by the same conditions (sql/event_reached.sql); a test holds the two together. Pure.
import type { Currency } from '#kernel/money.ts';
import type { EventStep, GameEvent } from '#server/modules/configuration/service.ts';
import { DAY_MS } from '#kernel/time.ts';

/** One day's payments in one currency, in minor units. `day` is "2026-11-23" of the brand's calendar. */
export type PaidDay = { readonly day: string; readonly currency: Currency; readonly amountMinor: number };

export type Progress = {
  /** Minor units by currency. */
  readonly totals: ReadonlyMap<Currency, number>;
  /** Days in a row up to today, or to yesterday while today is still to come. */
  readonly days: number;
  readonly isTodayDone: boolean;
  /** The longest run of days. */
  readonly bestDays: number;
};

export function progressOf(event: Pick<GameEvent, 'least'>, paid: readonly PaidDay[], today: string): Progress {
  const totals = new Map<Currency, number>();
  for (const { currency, amountMinor } of paid) totals.set(currency, (totals.get(currency) ?? 0) + amountMinor);
  const days = new Set(paid.filter((day) => isEnough(event, day)).map(({ day }) => toNumber(day)));
  const runs = runsOf(days);
  const now = toNumber(today);
  const current = runs.find(({ last }) => last === now || last === now - 1);
  return {
    totals,
    days: current?.length ?? 0,
    isTodayDone: days.has(now),
    bestDays: Math.max(0, ...runs.map(({ length }) => length)),
  };
}

/** How much of a step is there: 1 and above is reached. */
export function shareOf(event: Pick<GameEvent, 'file'>, step: EventStep, progress: Progress): number {
  if (event.file.kind === 'continuous') return step.days > 0 ? progress.bestDays / step.days : 0;
  const shares = [...step.total].map(([currency, need]) => (progress.totals.get(currency) ?? 0) / need.amountMinor);
  return Math.max(0, ...shares);
}

/** 100 only when it is reached. */
export function percentOf(share: number): number {
  return share >= 1 ? 100 : Math.floor(share * 100);
}

function isEnough({ least }: Pick<GameEvent, 'least'>, { currency, amountMinor }: PaidDay): boolean {
  const bound = least.get(currency);
  return least.size === 0 || (bound !== undefined && amountMinor >= bound.amountMinor);
}

function runsOf(days: ReadonlySet<number>): { last: number; length: number }[] {
  const runs: { last: number; length: number }[] = [];
  for (const day of [...days].toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run && run.last === day - 1) Object.assign(run, { last: day, length: run.length + 1 });
    else runs.push({ last: day, length: 1 });
  }
  return runs;
}

const toNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
