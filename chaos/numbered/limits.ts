// Tests 25 and 27: limits at the edges of their windows, and under many hands.
import { query } from '#server/platform/database/db.ts';
import { placeOrder } from '#server/modules/orders/store.ts';
import { addTestRoles, placeInput, report } from '#testing/orders.ts';
import { type Numbered, deliverAll, expectSame, inTurns, makePlayers, times } from './numbered-test.ts';

const ZONES = ['UTC', 'Asia/Tokyo', 'Asia/Seoul', 'Europe/Berlin', 'America/New_York'] as const;
/** Month ends, leap days and the nights on which clocks change. */
const EDGES = [
  '2026-02-28',
  '2026-03-08',
  '2026-03-29',
  '2026-10-25',
  '2026-11-01',
  '2026-12-31',
  '2027-02-28',
  '2027-03-14',
  '2028-02-28',
  '2028-02-29',
  '2028-03-26',
  '2028-12-31',
] as const;

const formats = new Map(
  ZONES.map((timeZone) => [timeZone as string, new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })]),
);

/** The local date, by the other implementation of time zones that this machine has. */
const localDate = (at: Date, zone: string): string | undefined => formats.get(zone)?.format(at);

const windows: Numbered = {
  number: '25',
  name: 'limit-windows',
  about: 'windows turn over at local midnight only, on nights with an hour more or less as well',
  counts: { short: ZONES.length * EDGES.length, full: ZONES.length * EDGES.length },
  play: async ({ shop, fault }) => {
    for (const zone of ZONES) {
      for (const edge of EDGES) {
        // Every quarter of an hour of two days around the edge.
        const start = new Date(`${edge}T00:00:00Z`).getTime() - 12 * 3_600_000;
        const moments = times(48 * 4).map((n) => new Date(start + n * 900_000));
        const rows = await query<{ period: string; ends: Date }>(
          shop.db,
          'chaos_25',
          `select limit_period(1, $1, at) as period, limit_period_end(1, $1, at) as ends
            from unnest($2::timestamptz[]) at`,
          [zone, moments],
        );
        for (const [index, row] of rows.entries()) {
          const at = moments[index] as Date;
          const before = rows[index - 1];
          const isNextDay = before !== undefined && localDate(at, zone) !== localDate(moments[index - 1] as Date, zone);
          if (before && (row.period !== before.period) !== isNextDay)
            fault(`${zone} at ${at.toISOString()}: ${before.period} and ${row.period}`);
          if (
            localDate(row.ends, zone) === localDate(at, zone) ||
            localDate(new Date(row.ends.getTime() - 1), zone) !== localDate(at, zone)
          )
            fault(`${zone} at ${at.toISOString()}: the window ends at ${row.ends.toISOString()}`);
        }
      }
    }
    // A counter that is full stays full until then, and is empty after.
    const [player] = await makePlayers(shop, 1);
    if (!player) return;
    const place = () =>
      placeOrder(
        shop.db,
        placeInput(player.playerId, { time_zone: 'Asia/Tokyo', limit: { times: 1, days: 1, subject: 'game' } }),
      );
    const first = await place();
    if (first.outcome === 'placed') await report(shop.db, { billingNo: first.billing_no, attemptNo: 1 });
    await deliverAll(shop);
    const second = await place();
    if (first.outcome !== 'placed' || second.outcome !== 'limit_reached')
      fault(`once a day: ${first.outcome}, then ${second.outcome}`);
    // Yesterday's window is another one.
    await query(shop.db, 'chaos_25_night', `update limit_counter set period = 'd1:0'`);
    await query(shop.db, 'chaos_25_held', `update reservation set period = 'd1:0'`);
    const third = await place();
    if (third.outcome !== 'placed') fault(`after midnight: ${third.outcome}`);
  },
};

const manyHands: Numbered = {
  number: '27',
  name: 'limit-many-hands',
  about: 'three allowed, one player, five sessions, all at once',
  counts: { short: 60, full: 500 },
  play: async (round) => {
    const { shop, count } = round;
    const [player] = await makePlayers(shop, 1);
    if (!player) return;
    await addTestRoles(shop.db, player.playerId, count);
    const limit = { times: 3, days: 7, subject: 'game' };
    const outcomes = await inTurns(times(count), (n) =>
      placeOrder(shop.db, placeInput(player.playerId, { role_id: `role-${n}`, limit })),
    );
    const placed = outcomes.filter(({ outcome }) => outcome === 'placed').length;
    const refused = outcomes.filter(({ outcome }) => outcome === 'limit_reached').length;
    expectSame(round, 'placed and refused', { placed, refused }, { placed: 3, refused: count - 3 });
  },
};

export const LIMIT_TESTS: readonly Numbered[] = [windows, manyHands];
