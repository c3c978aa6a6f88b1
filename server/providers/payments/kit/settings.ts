// What the settings of all providers have in common: lists in one text, numbers, and hosts that players may be sent to.
import type { Environment } from '#kernel/environment.ts';

export function commaList(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * The whole number of a setting, `fallback` while it is unset. What a start has checked by its declaration never throws.
 */
export function wholeSetting(given: Readonly<Record<string, string>>, name: string, fallback: number): number {
  const text = given[name] ?? '';
  if (text === '') return fallback;
  if (!/^(?:0|[1-9]\d{0,14})$/.test(text)) throw new Error(`${name} must be a whole number`);
  return Number(text);
}

/**
 * Whether players may be sent there: https and a host of the list. Plain http is for the demo side, on this machine.
 */
export function isPayLink(
  text: string | undefined,
  hosts: readonly string[],
  environment: Environment,
): text is string {
  if (text === undefined || !URL.canParse(text)) return false;
  const url = new URL(text);
  const isLoopback = /^(?:(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  const isProtocolFit = url.protocol === 'https:' || (url.protocol === 'http:' && environment === 'demo' && isLoopback);
  return isProtocolFit && url.username === '' && hosts.includes(url.host);
}
