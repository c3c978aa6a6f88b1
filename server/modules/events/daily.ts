// The daily reward: claimed once a day of the brand's calendar, without paying; days in a row make a streak, whose
// steps begin anew after the last. Its rewards are rows of the same table, handed over in the same way.
import type { Activity, ActivityGift } from '#contracts/events.ts';
import { DAY_MS } from '#kernel/time.ts';
import type { Display, EventStep, Game } from '#server/modules/configuration/service.ts';
import { DELIVERY, endsOf, type KnownReward, type OpenEvent, toItems, toNewReward, windowOf } from './present.ts';
import type { DailyStanding, NewReward } from './store.ts';

/** Returns the prefix of one daily reward's issue keys; the day follows. */
export function runOfDaily(game: Game, { window }: OpenEvent): string {
  return `event/${game.id}/${window.key}/`;
}

/** The place of today's step among the steps: the claimed one, or the one to claim. */
export function placeToday({ streak, is_claimed: isClaimed }: DailyStanding, steps: number): number {
  return (isClaimed ? streak - 1 : streak) % steps;
}

/** The days whose rewards the steps before today's stand for, and today: from the first step on. */
export function daysOfCycle(standing: DailyStanding, steps: number): string[] {
  const place = placeToday(standing, steps);
  const today = Date.parse(`${standing.today}T00:00:00Z`);
  return Array.from({ length: place + 1 }, (_, index) =>
    new Date(today - (place - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Today's step, as it is written when it is claimed. */
export function toDailyReward(
  game: Game,
  open: OpenEvent,
  step: EventStep,
  { standing, timeZone, rewardNo }: { standing: DailyStanding; timeZone: string; rewardNo: string },
): NewReward {
  const { today: day, streak } = standing;
  return {
    ...toNewReward(game, open, step, { timeZone, rewardNo }),
    issue_key: `${runOfDaily(game, open)}${day}`,
    basis: { ...windowOf(open, timeZone), kind: 'daily', day, streak: streak + 1 },
  };
}

/** @param shown.standing null for strangers: nothing is claimed, and nothing can be */
export function toDailyActivity(
  game: Game,
  open: OpenEvent,
  shown: { display: Display; timeZone: string; standing: DailyStanding | null; rewards: readonly KnownReward[] },
): Activity {
  const { event, window } = open;
  const { display, standing, timeZone } = shown;
  const { steps } = event;
  const place = standing ? placeToday(standing, steps.length) : -1;
  const days = standing ? daysOfCycle(standing, steps.length) : [];
  const rewardsOf = (index: number) =>
    shown.rewards.filter(({ issue_key: key }) => key === `${runOfDaily(game, open)}${days[index]}`);
  const stateOf = (index: number): ActivityGift['state'] =>
    index < place || (index === place && standing?.is_claimed) ? 'received' : index === place ? 'receivable' : 'locked';
  return {
    activity_id: window.key,
    type: 'daily',
    name: display.text(event.file.name),
    text: display.text(event.file.text),
    start_time: window.startsAt,
    ...endsOf(open),
    is_over: false,
    time_zone: timeZone,
    totals_shown: [],
    days: standing?.streak ?? 0,
    is_today_done: standing?.is_claimed ?? false,
    best_days: standing?.streak ?? 0,
    least_shown: '',
    gifts: steps.map((step, index): ActivityGift => {
      const own = rewardsOf(index);
      const received = own.find(({ state }) => state !== 'rejected');
      const state = stateOf(index);
      return {
        gift_id: step.id,
        need_shown: '',
        need_days: step.days,
        percent: state === 'locked' ? 0 : 100,
        state,
        delivery: received ? DELIVERY[received.state] : 'none',
        is_declined: !received && own.length > 0,
        role_name: received?.role_name ?? '',
        items: toItems(step, display),
      };
    }),
  };
}
