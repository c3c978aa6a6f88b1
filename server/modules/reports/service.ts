// Takes reports of pages within a budget: whoever can reach the shop can write one.
import type { Report } from '#contracts/reports.ts';
import type { Db } from '#server/platform/database/db.ts';
import { type Caller } from '#server/platform/http/http.ts';
import { type Answer, refuse, succeed } from '#server/platform/http/answer.ts';
import type { Log } from '#server/platform/log.ts';
import { bytesOf, createDayBudget } from '#server/platform/limits/day-budget.ts';
import { createNoiseBudget } from '#server/platform/noise-budget.ts';
import { addReport } from './store.ts';

export { listReports } from './store.ts';

/** Our choice: a page tells one fault once; ten a minute are a household in a bad network. */
const PER_NETWORK = 10;
/** Our choice: after an outage many pages tell the same, and three hundred say enough. */
const IN_ALL = 300;
/** Our choice, of a day of this process: enough for an outage, and 90 kept days of it are some 2 GB. */
const OF_DAY = { perNetwork: { rows: 200, bytes: 200_000 }, inAll: { rows: 20_000, bytes: 20_000_000 } };

export type ReportsService = { take(caller: Caller, report: Report): Promise<Answer<{}>> };

export function createReportsService(deps: { db: Db; log: Log; now?: () => number }): ReportsService {
  const { db, log } = deps;
  const budget = createNoiseBudget(
    (unwritten) => log.warn({ unwritten }, 'more error reports came than are written'),
    deps.now,
    { perNetwork: PER_NETWORK, inAll: IN_ALL },
  );
  const ofDay = createDayBudget(deps.now ?? Date.now, OF_DAY);
  return {
    take: async ({ site, ip }, report) => {
      if (!budget.takes('report', ip)) return refuse('tooManyAttempts');
      if (ofDay.take(ip, { rows: 1, bytes: bytesOf(report) }) !== 'taken') return refuse('tooManyAttempts');
      await addReport(db, site.brandKey, { ...report, note: report.note.trim() });
      return succeed({});
    },
  };
}
