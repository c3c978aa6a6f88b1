/**
 * A caller's address as lists, logs and providers write it: IPv4 as such, also where the listener is one of IPv6 and
 * the system says `::ffff:192.0.2.7`.
 */
export const plainAddress = ({ ip }: { readonly ip: string }): string => ip.replace(/^::ffff:(?=\d+\.)/i, '');
