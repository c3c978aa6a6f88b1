import { expect, test } from 'vitest';
import { isMetadataHost } from './metadata-hosts.ts';

const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;

test.each([
  '169.254.169.254', '0xa9fea9fe', '169.254.169.254:80', '[fd00:ec2::254]', '[fe80::1]', '[::ffff:169.254.169.254]', 'metadata.google.internal',
  'METADATA.google.internal.', '100.100.100.200',
])('%s hands out credentials', (host) => {
  expect(isMetadataHost(hostOf(host))).toBe(true);
}); /* a row a line */ // prettier-ignore

test.each(['10.0.0.7', 'crm.internal:8443', '[fd00::1]', '169.253.0.1', '100.64.0.1'])('%s does not', (host) => {
  expect(isMetadataHost(hostOf(host))).toBe(false);
});
