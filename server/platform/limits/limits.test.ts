import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf } from '#server/platform/limits/address-limits.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.7:50123', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:0207', '192.0.2.7'],
  ['[::ffff:192.0.2.7]:80', '192.0.2.7'],
  ['', ''],
  ['no address', 'no address'],
  ['1.2.3', '1.2.3'],
])('%s counts as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2:3::9', '2001:db8:1::/48'],
])('%s belongs to the larger network %s', (ip, network) => {
  expect(networkOf(ip, { ipv4: 24, ipv6: 48 })).toBe(network);
});

test('every spelling of one address counts as one', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 1, max: 65_535 }), (ip, port) => {
      const spellings = [ip, `${ip}:${port}`, `::ffff:${ip}`, `[::ffff:${ip}]:${port}`];
      expect(new Set(spellings.map((one) => networkOf(one)))).toEqual(new Set([ip]));
    }),
  );
  fc.assert(
    fc.property(fc.ipV6(), (ip) => {
      expect(networkOf(`[${ip.toUpperCase()}]:443`)).toBe(networkOf(ip));
    }),
  );
});
