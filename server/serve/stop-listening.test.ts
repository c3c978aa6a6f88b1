// Under a busy processor: connections pile up while the process computes, and then it ends.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { closeApp } from './stop-listening.ts';

/** Connects and sends a call fifty times a second, and counts how each ended, until nothing listens. */
const CALLER = `
const { connect } = require('node:net');
const { parentPort, workerData: port } = require('node:worker_threads');
const ended = { answered: 0, refused: 0, lost: 0 };
let open = 0;
const tell = () => {
  if (ended.refused >= 8) clearInterval(timer);
  if (ended.refused >= 8 && open === 0) parentPort.postMessage(ended);
};
const timer = setInterval(() => {
  open += 1;
  let how = 'refused';
  const socket = connect(port, '127.0.0.1', () => {
    how = 'lost';
    socket.write('POST / HTTP/1.1\\r\\nhost: a\\r\\ncontent-type: text/plain\\r\\ncontent-length: 2\\r\\n\\r\\nhi');
  });
  socket.on('data', () => ((how = 'answered'), socket.end()));
  socket.on('error', () => undefined);
  socket.on('close', () => ((ended[how] += 1), (open -= 1), tell()));
}, 20);
`;

test('no call is lost that was sent to a process before it listened no more', { timeout: 30_000 }, async () => {
  const app = Fastify();
  app.post('/', async (_, reply) => reply.header('connection', 'close').send('ok'));
  await app.listen({ port: 0, host: '127.0.0.1' });
  const caller = new Worker(CALLER, { eval: true, workerData: (app.server.address() as AddressInfo).port });
  onTestFinished(() => void caller.terminate());
  const message = once(caller, 'message') as Promise<[{ answered: number; refused: number; lost: number }]>;
  // A thread of its own takes its time to begin.
  await once(app.server, 'request');

  // The time to close comes while the loop is held up, as timers do.
  const ending = new Promise((resolve) => setTimeout(resolve, 10)).then(() => closeApp(app, true));
  const until = performance.now() + 600;
  while (performance.now() < until);
  await ending;
  const [ended] = await message;
  expect(ended.lost).toBe(0);
  expect(ended.answered).toBeGreaterThan(20);
  expect(ended.refused).toBeGreaterThan(5);
});
