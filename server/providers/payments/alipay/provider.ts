// Alipay: one name, two unrelated protocols. This file only chooses; the verbs are in antom.ts and open-platform.ts.
import { HOUR_SECONDS } from '#kernel/time.ts';
import type { PaymentProvider, ProviderContext } from '#server/modules/payments/provider.ts';
import { supportsCurrency } from './amounts.ts';
import { antom } from './antom.ts';
import { openPlatform } from './open-platform.ts';
import { accountOf, apiHosts, OFFICIAL_HOSTS, payHosts, protocolOf, settings } from './settings.ts';

/**
 * Our choice: both protocols are told the end of the payment; an hour for what a player began in its last minute.
 * @source docs.antom.com, inquiryPayment: an unpaid cashier order closes after 14 minutes unless told otherwise
 */
const PAYABLE_SECONDS = HOUR_SECONDS;

const verbsOf = (context: ProviderContext) => (protocolOf(context.settings) === 'antom' ? antom : openPlatform);

export const alipay: PaymentProvider = {
  name: 'alipay',
  settings,
  amountForm: 'minor-units',
  supportsCurrency,
  accountOf,
  apiHosts,
  officialHosts: OFFICIAL_HOSTS,
  payHosts,
  payableForSeconds: PAYABLE_SECONDS,
  /** @source docs.antom.com, notifications: 2m, 10m, 10m, 1h, 2h, 6h and 15h; the older gateway as long */
  repeatsCallbacksForSeconds: 87_720,
  signedHeaders: ['signature', 'client-id', 'request-time'],

  create: (context, input) => verbsOf(context).create(context, input),
  query: (context, payment) => verbsOf(context).query(context, payment),
  readCallback: (context, raw) => verbsOf(context).readCallback(context, raw),
  cancel: (context, payment) => verbsOf(context).cancel(context, payment),
  refund: (context, payment, refundRef) => verbsOf(context).refund(context, payment, refundRef),
  check: (context) => verbsOf(context).check(context),
};
