// Addresses that players may be sent to, and the names of this machine. Pure.
import type { Environment } from './environment.ts';

/** True for names and addresses that resolve to this machine only. @param host as of `URL.hostname`, without port */
export function isLoopbackHost(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
}

/**
 * Returns true when a payment may lead there: https and exactly a host of the list (`URL.host`), nobody's name or
 * password in it. Plain http is for sandboxes of the demo on this machine. @source ASVS 3.7.2
 */
export function isPayLink(
  text: string | undefined,
  hosts: readonly string[],
  environment: Environment,
): text is string {
  if (text === undefined || !URL.canParse(text)) return false;
  const { host, hostname, password, protocol, username } = new URL(text);
  const isPlainHere = protocol === 'http:' && environment === 'demo' && isLoopbackHost(hostname);
  return (protocol === 'https:' || isPlainHere) && hosts.includes(host) && username === '' && password === '';
}
