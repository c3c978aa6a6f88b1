// Welcome's signatures as its server checks them. Written from github.com/paywelcome/paywelcome.github.io.

import { createHash } from 'node:crypto';

const hex = (text: string): string => createHash('sha256').update(text).digest('hex');

export const mKeyOf = (signKey: string): string => hex(signKey);

/** `name=value` pairs joined by `&`, in the order given. */
export const signPairs = (pairs: readonly (readonly [string, string])[]): string =>
  hex(pairs.map(([name, value]) => `${name}=${value}`).join('&'));
