// Every payment stand-in by its name, which is its path, its control name and its journal. A new one is a line here.

import { mountAdyen } from './adyen.ts';
import type { Context, Mounted } from './context.ts';
import { mountPaypal } from './paypal.ts';
import { mountXsolla } from './xsolla.ts';

export const paymentMounts: Readonly<Record<string, (context: Context) => Mounted>> = {
  adyen: mountAdyen,
  paypal: mountPaypal,
  xsolla: mountXsolla,
};
