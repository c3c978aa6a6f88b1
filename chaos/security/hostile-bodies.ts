// Tests 61 and 62: what one stranger without an account can do to everybody else's time and room.
import { DOT_PATH } from '#contracts/tracking.ts';
import type { TestShop } from '#testing/shop.ts';
import type { SecurityTest } from './security-test.ts';

/** Openings of structures that end nowhere: a reader that looks for each end takes the square of the time. */
const OPENINGS = [
  '<!', '<?', '<![CDATA[', '<!--', '<a ', '</', '{"', '[', '"', '\\', '%', '&', '&#', '=', ';', ',', '@', ' ', 'a@', '-----BEGIN ', 'eyJ', '0', '\u00e9',
]; /* a row a line */ // prettier-ignore
const BYTES = 64_000;
/** The aim is 50 ms; a machine with other work to do is given ten times as much. */
const LONGEST_MS = 500;

const heavyBodies: SecurityTest = {
  number: '61',
  asvs: '1.3.12, 15.2.2',
  about: '64 kB of openings without an end, to every call that takes a body of a stranger: no other request is held up',
  run: async ({ harness, defer, refused, holds, times }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const paths = ['/callback/wallet', '/callback/card', '/callback/paypal', '/callback/adyen', '/callback/nobody'];
    const others = ['/util/login/notice/ios', '/util/login/auth', '/api/system/report', DOT_PATH];
    const openings = OPENINGS.slice(0, times({ short: 4, full: OPENINGS.length }));
    for (const path of [...paths, ...others])
      for (const opening of openings) {
        const body = opening.repeat(BYTES / Buffer.byteLength(opening));
        const held = await heldFor(async () => void (await shop.post(path, body, sentAs('text/plain'))));
        refused(`${path} with ${JSON.stringify(opening)}`, held < LONGEST_MS, `${Math.round(held)} ms`);
      }
    const query = '<!'.repeat(3000);
    const held = await heldFor(async () => void (await shop.get(`/return/paypal?ref=${encodeURIComponent(query)}`)));
    holds('an address of them', held < LONGEST_MS, held);
  },
};

let callers = 0;
const sentAs = (type: string) => ({
  remoteAddress: `198.51.${Math.floor((callers += 1) / 250)}.${callers % 250}`,
  headers: { 'content-type': type },
});

/** The longest that the event loop stood still; the least of three, for other programs take the processor too. */
async function heldFor(call: () => Promise<void>): Promise<number> {
  const turns: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    let [last, longest] = [performance.now(), 0];
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await call();
    longest = Math.max(longest, performance.now() - last);
    clearInterval(timer);
    turns.push(longest);
    if (longest < LONGEST_MS) break;
  }
  return Math.min(...turns);
}

/** Stored for each byte that was sent. */
const MAX_GROWTH = 4;

const visitFlood: SecurityTest = {
  number: '62',
  asvs: '2.4.1, 15.2.2',
  about: 'the counter of visits with wide texts and fifty moments a call: the database grows by about what was sent',
  run: async ({ harness, defer, refused, allowed, times }) => {
    const shop = await harness.makeShop();
    defer(() => shop.close());
    const list = Array.from({ length: 50 }, () => ({ event: 'logout', id: 'WEBPAY-201-005' }));
    const body = JSON.stringify({ ...VISITOR, list });
    const before = await sizeOf(shop);
    const flood = { remoteAddress: '198.51.100.9', headers: { 'content-type': 'text/plain' } };
    allowed('one visit', (await shop.post(DOT_PATH, body, flood)).code === 1);
    const calls = times({ short: 40, full: 120 });
    for (let n = 0; n < calls; n += 1) await shop.post(DOT_PATH, body, flood);
    const grown = (await sizeOf(shop)) - before;
    refused('many times what was sent', grown < MAX_GROWTH * calls * body.length, {
      grown,
      sent: calls * body.length,
    });
  },
};

const wide = (length: number): string => 'x'.repeat(length);
const VISITOR = { traffic_source: wide(500), did: wide(128), uuid: wide(64), session_id: wide(64), event_id: wide(64) };

/** Bytes of all rows that the counter of visits has written. */
async function sizeOf(shop: TestShop): Promise<number> {
  const { rows: tables } = await shop.db.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' and tablename like 'track%'`,
  );
  let bytes = 0;
  for (const { name } of tables) {
    const { rows } = await shop.db.query<{ bytes: string }>(
      `select coalesce(sum(pg_column_size(t.*)), 0) as bytes from ${name} t`,
    );
    bytes += Number(rows[0]?.bytes);
  }
  return bytes;
}

export const HOSTILE_BODY_TESTS: readonly SecurityTest[] = [heavyBodies, visitFlood];
