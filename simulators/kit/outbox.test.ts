// Re-sends, giving up, restarts, and where callbacks are posted to.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from './journal.ts';
import { createOutbox } from './outbox.ts';
import { createManualClock, newDataFolder } from './test-harness.ts';
import { addressOf, type Shop } from './shop.ts';

const draft = { reference: 'B-1', kind: 'paid', body: '{}', headers: {} };
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

function setUp(file = join(newDataFolder(), 'x.jsonl'), clock = createManualClock()) {
  const posts: number[] = [];
  const state = { status: 500 };
  const shop: Shop = {
    post: async () => {
      posts.push(clock.now());
      return { status: state.status, text: '' };
    },
    close: async () => {},
  };
  const journal = openJournal(file, true);
  const outbox = createOutbox({ provider: 'x', journal, shop, clock, isAcknowledged: (status) => status === 200 });
  return { file, clock, posts, state, outbox };
}

it('re-sends on its timetable until acknowledged', async () => {
  const { clock, posts, state, outbox } = setUp();
  const startMs = clock.now();
  await outbox.send(draft);
  for (const waitMs of [2_000, 5_000, 10_000, 30_000, 60_000, 60_000]) {
    clock.advance(waitMs);
    await settled();
  }
  expect(posts.map((at) => (at - startMs) / 1000)).toEqual([0, 2, 7, 17, 47, 107, 167]);
  state.status = 200;
  clock.advance(60_000);
  await settled();
  expect(outbox.pending()).toEqual([]);
  clock.advance(3_600_000);
  await settled();
  expect(posts).toHaveLength(8);
});

it('gives up after an hour', async () => {
  const { clock, posts, outbox } = setUp();
  await outbox.send(draft);
  for (let minute = 0; minute < 70; minute++) {
    clock.advance(60_000);
    await settled();
  }
  expect(outbox.pending()).toEqual([]);
  expect(posts.length).toBeGreaterThan(55);
});

it('goes on after a restart', async () => {
  const first = setUp();
  await first.outbox.send(draft);
  first.outbox.close();
  const second = setUp(first.file, first.clock);
  second.state.status = 200;
  second.clock.advance(2_000);
  await settled();
  expect(second.posts).toHaveLength(1);
  expect(second.outbox.pending()).toEqual([]);
});

it('finds the demo brand when the shop is only an address, and keeps a name under .localhost', () => {
  expect(addressOf('http://127.0.0.1:8080')).toEqual({
    origin: 'http://127.0.0.1:8080',
    host: 'product.demo.localhost:8080',
  });
  expect(addressOf('http://watt.demo.localhost:8080')).toEqual({
    origin: 'http://127.0.0.1:8080',
    host: 'watt.demo.localhost:8080',
  });
  expect(addressOf('https://pay.brand.example')).toEqual({
    origin: 'https://pay.brand.example',
    host: 'pay.brand.example',
  });
});

it('stamps every attempt anew and goes by the text of the answer', async () => {
  const clock = createManualClock();
  const sent: { headers: Record<string, string>; suffix: string | undefined }[] = [];
  const shop: Shop = {
    post: async (_provider, _body, headers, way) => {
      sent.push({ headers, suffix: way?.suffix });
      return { status: 200, text: sent.length > 1 ? 'OK' : 'no' };
    },
    close: async () => {},
  };
  const outbox = createOutbox({
    provider: 'x',
    journal: openJournal(join(newDataFolder(), 'x.jsonl'), true),
    shop,
    clock,
    isAcknowledged: (_status, text) => text === 'OK',
    stamp: () => ({ at: String(clock.now()) }),
  });
  const startMs = clock.now();
  await outbox.send({ ...draft, headers: { kept: '1' }, way: { method: 'GET', suffix: '?a=1' } });
  clock.advance(2_000);
  await settled();
  expect(sent).toEqual([
    { headers: { kept: '1', at: String(startMs) }, suffix: '?a=1' },
    { headers: { kept: '1', at: String(startMs + 2_000) }, suffix: '?a=1' },
  ]);
  expect(outbox.pending()).toEqual([]);
});
