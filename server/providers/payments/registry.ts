// The only file that names the payment adapters. A new one is a folder beside this file and a line here.
import type { PaymentProvider } from '#server/modules/payments/provider.ts';
import { adyen } from './adyen/provider.ts';
import { airwallex } from './airwallex/provider.ts';
import { alipay } from './alipay/provider.ts';
import { codapay } from './codapay/provider.ts';
import { ebanx } from './ebanx/provider.ts';
import { funtap } from './funtap/provider.ts';
import { kakao } from './kakao/provider.ts';
import { mycard } from './mycard/provider.ts';
import { naver } from './naver/provider.ts';
import { payermax } from './payermax/provider.ts';
import { pagsmile } from './pagsmile/provider.ts';
import { paypal } from './paypal/provider.ts';
import { pingpong } from './pingpong/provider.ts';
import { razer } from './razer/provider.ts';
import { travellet } from './travellet/provider.ts';
import { welcome } from './welcome/provider.ts';
import { xsolla } from './xsolla/provider.ts';

export const paymentProviders: readonly PaymentProvider[] = [
  adyen,
  airwallex,
  alipay,
  codapay,
  ebanx,
  funtap,
  kakao,
  mycard,
  naver,
  payermax,
  pagsmile,
  paypal,
  pingpong,
  razer,
  travellet,
  welcome,
  xsolla,
];

/** The adapter of that name ("paypal"), or undefined: names come from configuration files and from callback paths. */
export function findPaymentProvider(name: string): PaymentProvider | undefined {
  return paymentProviders.find((provider) => provider.name === name);
}
