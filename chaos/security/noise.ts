// Test 53: what strangers can make the shop write.
import { callBack, eventOn } from '#testing/pay.ts';
import type { SecurityTest } from './security-test.ts';

const TIMES = 400;
/** Lines a minute from one network of one kind, and from all of them. */
const [OF_ONE, OF_ALL] = [30, 300];

const noise: SecurityTest = {
  number: '53',
  asvs: '16.2.5, 15.2.2',
  about: 'refused callbacks, notices, tickets, keys and changes by the hundred: a bounded number of lines and rows',
  run: async ({ harness, defer, refused, holds, times }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const app = await harness.makePages(shop);
    defer(() => app.close());
    const count = times({ short: TIMES, full: 5 * TIMES });
    const lines = (event: string) => shop.logLines.filter((line) => line.includes(`"security":"${event}"`)).length;
    const page = (query: string, ip: string) =>
      app.inject({
        url: `/?${query}`,
        remoteAddress: ip,
        headers: { host: 'watt.demo.localhost', accept: 'text/html' },
      });
    const reading = eventOn({ reference: 'nobody' }, 'paid');
    const acts: Record<string, (ip: string) => Promise<unknown>> = {
      callback_refused: (remoteAddress) => callBack(shop, reading, { signature: 'forged', remoteAddress }),
      login_link_refused: (ip) => page(`ticket=rt1_${'x'.repeat(43)}`, ip),
      beta_refused: (ip) => page(`beta_key=rb1_${'x'.repeat(43)}`, ip),
      change_refused: (remoteAddress) =>
        shop.post('/util/login/logout', {}, { remoteAddress, headers: { 'sec-fetch-site': 'cross-site' } }),
    };
    const before = shop.logLines.length;
    for (const [event, act] of Object.entries(acts)) {
      for (let n = 0; n < count; n += 1) await act('198.51.100.7');
      // The minute may turn over meanwhile.
      refused(`${event} from one network`, lines(event) > 0 && lines(event) <= 2 * OF_ONE, lines(event));
    }
    const written = shop.logLines.length - before;
    holds('all of it', written < OF_ALL, written);
    const { rows } = await shop.db.query<{ count: string }>('select sum(count) as count from callback_refused');
    holds(
      'rows of refused callbacks are counted as far as they are written',
      Number(rows[0]?.count) <= 2 * OF_ONE,
      rows,
    );

    for (let n = 0; n < count; n += 1)
      for (const act of Object.values(acts)) await act(`10.${n % 250}.${Math.floor(n / 250)}.1`);
    refused('all of it from many networks', shop.logLines.length - before <= 3 * OF_ALL, shop.logLines.length - before);
  },
};

export const NOISE_TESTS: readonly SecurityTest[] = [noise];
