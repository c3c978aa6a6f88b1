// `refill preview` where it cannot listen: one sentence with the option that mends it.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from './test-run.ts';

const shop = join(import.meta.dirname, '..', 'testing', 'fixtures', 'configuration');

test('a port in use, and an address of another machine, are told by the option', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const preview = (...args: string[]) => runCommand(['preview', '--shop', shop, ...args], {});
  expect(await preview('--port', String(port))).toMatchObject({
    code: 1,
    err: expect.stringMatching(new RegExp(`^(?:warning: .+\\n)*refill: --port ${port} is in use: stop what .+\\.\\n$`)),
  });
  expect((await preview('--port', '0', '--host', '192.0.2.1')).err).toContain(
    'refill: --host is "192.0.2.1": it must be an address of this machine.',
  );
});
