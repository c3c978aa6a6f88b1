// `refill preview` where it cannot listen: one sentence with the option that mends it.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { listenAt } from './preview.ts';
import { InputFault } from './terminal.ts';

test('a port in use, and an address of another machine, are told by the option', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const inUse = listenAt(fastify(), { port, host: '127.0.0.1' });
  await expect(inUse).rejects.toThrow(InputFault);
  await expect(inUse).rejects.toThrow(`--port ${port} is in use: stop what listens there, or choose another.`);
  await expect(listenAt(fastify(), { port: 0, host: '192.0.2.1' })).rejects.toThrow(
    '--host is "192.0.2.1": it must be an address of this machine.',
  );
});
