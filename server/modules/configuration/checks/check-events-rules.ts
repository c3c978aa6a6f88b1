// Checks the events of one game file: steps rise, amounts are above zero, windows end after they begin.
import type { EventEntry, GameFile } from '#contracts/game-file.ts';
import { readMoment } from '#kernel/calendar.ts';
import type { Currency } from '#kernel/money.ts';
import { checkAmount, checkForms, isAbove, type Remark, repeated } from './check-game-rules.ts';
import type { Finding } from './finding-types.ts';

export function checkEvents(id: string, game: GameFile): Finding[] {
  return listRemarks(game).map((remark) => ({ level: 'fault', file: `games/${id}/game.yaml`, ...remark }));
}

/** `at` begins at the top of the file. */
function listRemarks({ events = [], goods }: GameFile): Remark[] {
  const ids = events.map(({ id }) => id);
  const places = events.flatMap(({ steps }, index) => steps.map((step, place) => ({ index, place, id: step.id })));
  const products = new Set(goods.map(({ id }) => id));
  const stepIds = places.map(({ id }) => id);
  return [
    ...repeated(ids).map((index) => ({
      at: ['events', index, 'id'],
      reason: `the event "${ids[index]}" is there twice; rename one`,
    })),
    ...places
      .filter(({ id }, place) => products.has(id) || stepIds.indexOf(id) < place)
      .map(({ index, place, id }) => ({
        at: ['events', index, 'steps', place, 'id'],
        reason: `"${id}" is a product or another step; the game tells grants apart by it, so rename it`,
      })),
    ...events.flatMap((event, index) =>
      [...checkWindow(event, event.kind === 'daily'), ...checkSteps(event), ...checkNames(event)].map(
        ({ at, reason }) => ({
          at: ['events', index, ...at],
          reason,
        }),
      ),
    ),
  ];
}

function checkNames({ steps }: EventEntry): Remark[] {
  return steps.flatMap(({ items }, step) =>
    items.flatMap(({ name }, item) =>
      checkForms(name, ['steps', step, 'items', item, 'name'], (at, reason): Remark => ({ at, reason })),
    ),
  );
}

/** @param isOpenEnded what need not end: an offer that opens after a purchase */
export function checkWindow(
  { every, from, until }: { every?: string; from?: string; until?: string },
  isOpenEnded = false,
): Remark[] {
  const remarks: Remark[] = [];
  for (const [key, text] of Object.entries({ from, until }))
    if (text !== undefined && readMoment(text, 'UTC') === null)
      remarks.push({ at: [key], reason: `"${text}" is no moment of a calendar; write e.g. "2026-12-01 10:00"` });
  if (!isOpenEnded && !every && (from === undefined || until === undefined))
    remarks.push({
      at: [from === undefined ? 'from' : 'until'],
      reason: 'is missing; add it, or let it begin anew with every: month',
    });
  const [start, end] = [from, until].map((text) => (text === undefined ? null : readMoment(text, 'UTC')));
  if (start != null && end != null && start >= end)
    remarks.push({ at: ['until'], reason: `"${until}" is not after from, "${from}"` });
  return remarks;
}

function checkSteps(event: EventEntry): Remark[] {
  const { kind, least, steps } = event;
  if (kind === 'daily') return checkDays(event);
  if (kind === 'continuous')
    return [
      ...checkAmounts(['least'], least ?? {}),
      ...steps.flatMap(({ days, total }, index): Remark[] => {
        const at = ['steps', index];
        const before = steps[index - 1]?.days ?? 0;
        if (total) return [{ at: [...at, 'total'], reason: 'a continuous event counts days; remove it' }];
        if (days === undefined) return [{ at: [...at, 'days'], reason: 'is missing; add it, e.g. days: 3' }];
        return days > before
          ? []
          : [{ at: [...at, 'days'], reason: `${days} is not above the step before, ${before}` }];
      }),
    ];
  return [
    ...(least ? [{ at: ['least'], reason: 'a cumulative event counts everything; remove it' }] : []),
    ...steps.flatMap(({ days, total }, index): Remark[] => {
      const at = ['steps', index];
      if (days !== undefined) return [{ at: [...at, 'days'], reason: 'a cumulative event counts money; remove it' }];
      if (!total) return [{ at: [...at, 'total'], reason: 'is missing; add it, e.g. total: { USD: "4.99" }' }];
      const before = steps[index - 1]?.total ?? {};
      return [
        ...checkAmounts([...at, 'total'], total),
        ...entriesOf(total)
          .filter(([currency, amount]) => before[currency] && !isAbove(amount, before[currency], currency))
          .map(([currency, amount]) => ({
            at: [...at, 'total', currency],
            reason: `"${amount}" is not above the step before, "${before[currency]}"`,
          })),
      ];
    }),
  ];
}

function checkDays({ least, receiveDays, steps }: EventEntry): Remark[] {
  const free = 'a daily reward is claimed without paying; remove it';
  return [
    ...(least ? [{ at: ['least'], reason: free }] : []),
    ...(receiveDays === undefined
      ? []
      : [{ at: ['receiveDays'], reason: 'a daily reward is claimed on its day, and not after the end; remove it' }]),
    ...steps.flatMap(({ days, total }, index): Remark[] => {
      const at = ['steps', index];
      if (total) return [{ at: [...at, 'total'], reason: free }];
      const day = index + 1;
      return days === day ? [] : [{ at: [...at, 'days'], reason: `must be ${day}: a streak has a step for each day` }];
    }),
  ];
}

function checkAmounts(at: Remark['at'], amounts: Partial<Record<Currency, string>>): Remark[] {
  return entriesOf(amounts).flatMap(([currency, text]) => checkAmount([...at, currency], text, currency));
}

function entriesOf(amounts: Partial<Record<Currency, string>>): [Currency, string][] {
  return Object.entries(amounts) as [Currency, string][];
}
