// Every payment stand-in by its name, which is its path, its control name and its journal. A new one is a line here.

import { mountAdyen } from './adyen.ts';
import { mountAirwallex } from './airwallex.ts';
import { mountAlipay } from './alipay.ts';
import { mountCodapay } from './codapay.ts';
import type { Context, Mounted } from './context.ts';
import { mountEbanx } from './ebanx.ts';
import { mountKakao } from './kakao.ts';
import { mountMyCard } from './mycard.ts';
import { mountNaver } from './naver.ts';
import { mountPayermax } from './payermax.ts';
import { mountPaypal } from './paypal.ts';
import { mountRazer } from './razer.ts';
import { mountFuntap, mountTravellet } from './signed-redirect.ts';
import { mountXsolla } from './xsolla.ts';

export const paymentMounts: Readonly<Record<string, (context: Context) => Mounted>> = {
  adyen: mountAdyen,
  airwallex: mountAirwallex,
  alipay: mountAlipay,
  ebanx: mountEbanx,
  codapay: mountCodapay,
  funtap: mountFuntap,
  kakao: mountKakao,
  mycard: mountMyCard,
  naver: mountNaver,
  payermax: mountPayermax,
  paypal: mountPaypal,
  razer: mountRazer,
  travellet: mountTravellet,
  xsolla: mountXsolla,
};
