// Calls to addresses that an operator typed in, not this project: whatever name leads to a private network is refused
// at the moment of connecting, so that a name which changes its address afterwards gains nothing.
import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type OutboundOptions, OutboundError } from './outbound.ts';

/** @source IANA IPv6 address space: all that is routed; outside of it are e.g. ::/96, which held IPv4 addresses once */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

export type PrivateHosts = ReadonlySet<string>;

/** Everything that is nobody's address on the internet: private, loopback, link-local, carrier's, documentation. */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  // The last 32 bits written as IPv4 would be taken for such an address.
  const parsed = ipaddr.process(isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST));
}

/**
 * Says why an address cannot be called, or null. Names are looked up only when they are called.
 * @param privateHosts `host` or `host:port` that may be private, and plain http
 */
export function findAddressFault(text: string, privateHosts: PrivateHosts): string | null {
  if (!URL.canParse(text)) return 'it is no address';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'it holds a password';
  if (url.hash !== '') return 'it holds a fragment';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'it must begin with https://';
  if (isAllowedPrivate(url, privateHosts)) return null;
  if (url.protocol !== 'https:') return 'it must begin with https://';
  const literal = literalOf(url.hostname);
  const isInside =
    literal === null ? /(^|\.)(localhost|local|internal)$/.test(url.hostname) : !isPublicAddress(literal);
  return isInside ? `${url.hostname} is no public address` : null;
}

/** For createOutbound: any public host by https, and the private ones that are named. */
export function publicHosts(privateHosts: PrivateHosts): Pick<OutboundOptions, 'mayCall' | 'lookup'> {
  return {
    mayCall: (url) => findAddressFault(url.href, privateHosts) === null,
    lookup: lookupPublic(new Set([...privateHosts].map((host) => host.replace(/:\d+$/, '')))),
  };
}

function isAllowedPrivate(url: URL, privateHosts: PrivateHosts): boolean {
  return privateHosts.has(url.host) || privateHosts.has(url.hostname);
}

function literalOf(hostname: string): string | null {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) === 0 ? null : bare;
}

/** All addresses of a name must be public: with one that is not, somebody plays with us. */
function lookupPublic(privateNames: PrivateHosts): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '', 0);
      const inside = addresses.find(({ address }) => !isPublicAddress(address));
      if (inside && !privateNames.has(hostname))
        return done(new OutboundError('forbidden_host', false, `${hostname} leads to a private address`), '', 0);
      if (options.all) return (done as unknown as (error: null, all: typeof addresses) => void)(null, addresses);
      const [first] = addresses;
      return first ? done(null, first.address, first.family) : done(new Error(`${hostname} has no address`), '', 0);
    });
  };
}
