// Which addresses are proxies of ours: what an entry of the list may be, and whether an address is in it.
import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * Our choice: the widest networks that any operator owns. 10.0.0.0/8 and fc00::/7 are the widest private ones.
 * @source RFC 1918 section 3; RFC 4193 section 3.1
 */
const WIDEST = { ipv4: 8, ipv6: 7 };

const REMEDY = 'name the addresses or networks of your proxies (10.0.0.5, 10.0.0.0/24), or anyone could forge theirs';

/**
 * Says the fault of one entry of REFILL_TRUSTED_PROXIES; null when it is an address or a network that is not too wide.
 */
export function findProxyFault(entry: string): { reason: string; remedy: string } | null {
  const [address = '', prefix, ...rest] = entry.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  if (isIP(address) === 0 || rest.length > 0 || address.includes('%'))
    return { reason: `has "${entry}", which is no address and no network`, remedy: REMEDY };
  if (/^::ffff:/i.test(address))
    return { reason: `has "${entry}", an IPv4 address in the form of IPv6`, remedy: 'write it as IPv4' };
  if (prefix === undefined) return null;
  const longest = family === 'ipv4' ? 32 : 128;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest)
    return { reason: `has "${entry}", whose part behind the slash is none`, remedy: `write /0 to /${longest} there` };
  if (Number(prefix) >= WIDEST[family]) return null;
  return { reason: `has "${entry}", which matches addresses of strangers`, remedy: REMEDY };
}

/** @param entries such as findProxyFault has passed @returns whether a peer's address is one of them */
export function matchProxies(entries: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const type = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(prefix), type);
  }
  return (address) => {
    const plain = (address ?? '').replace(/^::ffff:/i, '');
    if (isIP(plain) === 0) return false;
    return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
  };
}
