// Names and addresses that lead to this very machine.
import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * @source RFC 1122 section 3.2.1.3 (127/8 and 0/8), RFC 4291 section 2.5 (::1 and ::), RFC 6761 section 6.3 (localhost)
 */
const OWN = new BlockList();
OWN.addSubnet('127.0.0.0', 8, 'ipv4');
OWN.addSubnet('0.0.0.0', 8, 'ipv4');
OWN.addAddress('::1', 'ipv6');
OWN.addAddress('::', 'ipv6');

/** Returns true for an address that only this machine reaches; 0.0.0.0 and :: listen to everybody. */
export const isLoopback = (host: string): boolean =>
  isOwnMachine(host) && !['0.0.0.0', '::', '[::]', ''].includes(host);

/** @param host as `URL.hostname` gives it, IPv6 in brackets or not */
export function isOwnMachine(host: string): boolean {
  const plain = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  if (plain === '' || plain === 'localhost' || plain.endsWith('.localhost')) return true;
  return isIP(plain) !== 0 && OWN.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
}
