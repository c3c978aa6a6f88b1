// The sentences for a start that fails late, from errors as Node makes them; and that its end waits for nobody.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Config, inspectConfig } from '#server/platform/config.ts';
import { explainStart, leaveBehind } from './explain-start.ts';

async function failToListen(port: number, host: string): Promise<unknown> {
  const server = createServer().listen(port, host);
  onTestFinished(() => void server.close());
  const [error] = await Promise.race([once(server, 'listening').then(() => [null]), once(server, 'error')]);
  return error;
}

const read = (variables: Record<string, string>): Config => inspectConfig(variables).config;

test('a port in use is told by the name of its setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const port = String((taken.address() as AddressInfo).port);
  const error = await failToListen(Number(port), '127.0.0.1');
  const reason = `${port} is in use`;
  expect(explainStart(error, read({ PORT: port }))).toMatchObject({ name: 'PORT', reason });
  const operators = explainStart(error, read({ PORT: '1', REFILL_OPERATOR_PORT: port }));
  expect(operators).toMatchObject({ name: 'REFILL_OPERATOR_PORT', reason });
  // Its own other half has it.
  const both = explainStart(error, read({ PORT: port, REFILL_OPERATOR_PORT: port }));
  expect(both.remedy).toContain('PORT and REFILL_OPERATOR_PORT are the same');
});

test('an address of another machine is told by the name of its setting', async () => {
  const error = await failToListen(0, '192.0.2.1');
  expect(explainStart(error, read({ REFILL_HOST: '192.0.2.1' }))).toMatchObject({ name: 'REFILL_HOST' });
  const operators = read({ REFILL_OPERATOR_HOST: '192.0.2.1', REFILL_OPERATOR_TOKEN: 'x'.repeat(32) });
  expect(explainStart(error, operators)).toMatchObject({ name: 'REFILL_OPERATOR_HOST', reason: 'is "192.0.2.1"' });
});

test('a refused file is no port', () => {
  const error = Object.assign(new Error("EACCES: permission denied, open '/x'"), { code: 'EACCES', syscall: 'open' });
  expect(explainStart(error, read({}))).toMatchObject({ name: 'the start', reason: 'failed' });
});

test('the end of a failed start does not wait for what never ends', { timeout: 8000 }, async () => {
  let isEnded = false;
  await leaveBehind([() => new Promise(() => {}), async () => void (isEnded = true)]);
  expect(isEnded).toBe(true);
});
