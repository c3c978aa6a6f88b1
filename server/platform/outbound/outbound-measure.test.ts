import { expect, test } from 'vitest';
import { writeMetrics } from '#server/platform/metrics/metrics.ts';
import { createGameReach, measureOutbound } from './outbound-measure.ts';
import { type Outbound, OutboundError } from './outbound.ts';

const answers =
  (status: number): Outbound =>
  async () => ({ status, headers: {}, text: '' });
const fails =
  (reason: OutboundError['reason']): Outbound =>
  () =>
    Promise.reject(new OutboundError(reason, true, 'x'));
const call = (outbound: Outbound) => outbound('http://a/', { method: 'GET' }).catch(() => undefined);

const read = async (line: string): Promise<number> => {
  const { text } = await writeMetrics();
  return Number(
    text
      .split('\n')
      .find((one) => one.startsWith(line))
      ?.split(' ')
      .at(-1) ?? 0,
  );
};

test.each<[string, Outbound, string, number]>([
  ['an answer', answers(200), 'ok', 1],
  ['our mistake', answers(422), 'refused', 1],
  ['a wrong secret', answers(401), 'denied', 1],
  ['a secret without the right', answers(403), 'denied', 1],
  ['their trouble', answers(500), 'failed', 1],
  ['too many calls', answers(429), 'failed', 1],
  ['silence', fails('timeout'), 'timeout', 1],
  ['a call that was not made', fails('circuit_open'), 'circuit_open', 0],
])('%s is counted, and timed when it was a call', async (name, outbound, outcome, timed) => {
  const peer = `measured ${name}`;
  await call(measureOutbound(outbound, peer));
  expect(await read(`refill_peer_calls_total{peer="${peer}",outcome="${outcome}"}`)).toBe(1);
  expect(await read(`refill_peer_call_seconds_count{peer="${peer}"}`)).toBe(timed);
});

test('a game is silent after three calls in a row without an answer, until one comes or five minutes have passed', async () => {
  let now = 0;
  const reach = createGameReach(() => now);
  const lose = async (times: number) => {
    for (let n = 0; n < times; n += 1) await call(reach.watch('sparks', fails('network')));
  };
  await lose(2);
  expect(reach.faultOf('sparks')).toBeNull();
  await call(reach.watch('sparks', answers(422)));
  await lose(2);
  expect(reach.faultOf('sparks')).toBeNull();
  await lose(1);
  expect([reach.faultOf('sparks'), reach.faultOf('another')]).toEqual(['silent', null]);
  now = 300_000;
  expect(reach.faultOf('sparks')).toBeNull();
});

test.each([401, 403])('a game that answers %i refuses us from the first call, until it accepts one', async (status) => {
  let now = 0;
  const reach = createGameReach(() => now);
  await call(reach.watch('sparks', answers(status)));
  expect(reach.faultOf('sparks')).toBe('denied');
  now = 3_599_999;
  expect(reach.faultOf('sparks')).toBe('denied');
  await call(reach.watch('sparks', answers(200)));
  expect(reach.faultOf('sparks')).toBeNull();
  await call(reach.watch('sparks', answers(status)));
  now += 3_600_000;
  expect(reach.faultOf('sparks')).toBeNull();
});
