// Addresses that an operator typed in: what is called, and what leads inside.
import { expect, test } from 'vitest';
import { createOutbound } from './outbound.ts';
import { findAddressFault, isPublicAddress, publicHosts } from './outbound-public.ts';

const NONE = new Set<string>();

test.each([
  ['https://crm.example.com/hook?a=1', 'none'],
  ['https://8.8.8.8/hook', 'none'],
  ['http://crm.example.com/hook', 'https'],
  ['https://10.0.0.7/hook', 'no public address'],
  ['https://[::1]/hook', 'no public address'],
  ['https://[::ffff:10.0.0.7]/hook', 'no public address'],
  ['https://0x7f.1/hook', 'no public address'],
  ['https://169.254.169.254/latest/meta-data', 'no public address'],
  ['https://[::127.0.0.1]/hook', 'no public address'],
  ['https://[2606:4700:4700::1111]/hook', 'none'],
  ['https://localhost/hook', 'no public address'],
  ['https://crm.internal/hook', 'no public address'],
  ['https://anna:secret@crm.example.com/', 'password'],
  ['ftp://crm.example.com/', 'https'],
  ['crm.example.com', 'no address'],
])('%s: %s', (url, fault) => {
  expect(findAddressFault(url, NONE) ?? 'none').toContain(fault);
});

test('what is named may be private and plain http, on its port alone where that is named', () => {
  const named = new Set(['crm.internal', '10.0.0.7:8443']);
  expect(findAddressFault('http://crm.internal:9000/hook', named)).toBeNull();
  expect(findAddressFault('http://10.0.0.7:8443/hook', named)).toBeNull();
  expect(findAddressFault('https://10.0.0.7/hook', named)).toContain('no public address');
});

test.each([
  '100.64.0.1',
  '192.0.2.1',
  '224.0.0.1',
  'fe80::1',
  'fd00::1',
  '0.0.0.0',
  '::127.0.0.1',
  '::8.8.8.8',
  '2001:4860::1%eth0',
  '5f00::1',
])('%s is nobody on the internet', (one) => expect(isPublicAddress(one)).toBe(false));

test('a name that leads to this machine is refused when it is called, whatever it led to before', async () => {
  const outbound = createOutbound({ ...publicHosts(NONE), mayCall: () => true });
  const call = outbound('https://localhost:1/hook', { method: 'POST', body: '{}' });
  await expect(call).rejects.toMatchObject({ reason: 'forbidden_host', wasSent: false });
  await outbound.close();
});
