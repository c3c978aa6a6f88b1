// Every payment simulator by its name, which is its path, its control name and its journal. A new one is a line here.

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
import { mountPagsmile } from './pagsmile.ts';
import { mountPaypal } from './paypal.ts';
import { mountPingpong } from './pingpong.ts';
import { mountRazer } from './razer.ts';
import { mountFuntap, mountTravellet } from './signed-redirect.ts';
import { mountWelcome } from './welcome.ts';
import { mountXsolla } from './xsolla.ts';

export const paymentMounts: Readonly<Record<string, (context: Context) => Mounted>> = {
  adyen: mountAdyen,
  airwallex: mountAirwallex,
  alipay: mountAlipay,
  codapay: mountCodapay,
  ebanx: mountEbanx,
  funtap: mountFuntap,
  kakao: mountKakao,
  mycard: mountMyCard,
  naver: mountNaver,
  payermax: mountPayermax,
  pagsmile: mountPagsmile,
  paypal: mountPaypal,
  pingpong: mountPingpong,
  razer: mountRazer,
  travellet: mountTravellet,
  welcome: mountWelcome,
  xsolla: mountXsolla,
};
