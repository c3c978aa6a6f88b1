// Every payment stand-in by its name, which is its path, its control name and its journal. A new one is a line here.

import { mountAdyen } from './adyen.ts';
import { mountAirwallex } from './airwallex.ts';
import { mountAlipay } from './alipay.ts';
import type { Context, Mounted } from './context.ts';
import { mountKakao } from './kakao.ts';
import { mountMyCard } from './mycard.ts';
import { mountNaver } from './naver.ts';
import { mountPaypal } from './paypal.ts';
import { mountXsolla } from './xsolla.ts';

export const paymentMounts: Readonly<Record<string, (context: Context) => Mounted>> = {
  adyen: mountAdyen,
  airwallex: mountAirwallex,
  alipay: mountAlipay,
  kakao: mountKakao,
  mycard: mountMyCard,
  naver: mountNaver,
  paypal: mountPaypal,
  xsolla: mountXsolla,
};
