// Makes the credentials that Alipay gave the shop, and the keys of both sides.

import { randomUpper } from '#simulators/kit/ids.ts';
import { type KeyPair, makeKeyPair } from './alipay-signature.ts';

export type Account = {
  /** The client id of Antom, and the app_id of the Open Platform. */
  clientId: string;
  sellerId: string;
  shop: KeyPair;
  alipay: KeyPair;
  /** Signs what must not be believed. */
  stranger: KeyPair;
};

export function makeAccount(): Account {
  return {
    clientId: `SANDBOX_${randomUpper(16)}`,
    sellerId: '2088531891668739',
    shop: makeKeyPair(),
    alipay: makeKeyPair(),
    stranger: makeKeyPair(),
  };
}
