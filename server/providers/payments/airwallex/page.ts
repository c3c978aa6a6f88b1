// The page of ours that runs Airwallex's script, which leads to their hosted payment page: there is no
// documented plain address of it.
import type { Environment } from '#kernel/environment.ts';
import type { CreatePayment, PayPage } from '#server/modules/payments/provider.ts';
import { scriptUrl } from './settings.ts';
import { type Intent, isPayable } from './wire.ts';

/** @source npm @airwallex/components-sdk 1.35.2: the global of the CDN script, `init`, `payments.redirectToCheckout` */
const RUN =
  'const { payments } = await window.AirwallexComponentsSDK.init(data.init); ' +
  'payments.redirectToCheckout(data.checkout);';

/**
 * The script loads and calls these hosts on its way. @source npm @airwallex/components-sdk 1.35.2, its tables of hosts
 */
const SOURCES = ['https://*.airwallex.com'];

/** Languages of the hosted page. @source npm @airwallex/components-sdk 1.35.2, type Locale */
const LOCALES = new Set('ar da de en es fi fr he id it ja ko ms nl pl pt ro ru si sv tr vi ur zh'.split(' '));

/** @param intent read anew, because its client secret lives for about an hour */
export function writePage(
  intent: Intent,
  input: CreatePayment,
  given: Readonly<Record<string, string>>,
  environment: Environment,
): PayPage {
  if (!isPayable(intent) || intent.client_secret === undefined)
    return { kind: 'closed', reason: `the payment is ${intent.status ?? 'unknown'}`.slice(0, 200) };
  const locale = localeOf(input.locale);
  return {
    kind: 'script',
    src: scriptUrl(given, environment),
    run: RUN,
    sources: SOURCES,
    data: {
      init: { env: environment === 'live' ? 'prod' : 'demo', enabledElements: ['payments'], locale },
      checkout: {
        intent_id: intent.id,
        client_secret: intent.client_secret,
        currency: input.amount.currency,
        mode: 'payment',
        locale,
        successUrl: input.returnUrl,
        ...(/^[A-Z]{2}$/.test(input.country) ? { country_code: input.country } : {}),
        ...(input.channelId === '' ? {} : { methods: [input.channelId] }),
      },
    },
  };
}

function localeOf(bcp47: string): string {
  if (/^zh-(?:TW|HK|Hant)/i.test(bcp47)) return 'zh-HK';
  const language = bcp47.slice(0, 2).toLowerCase();
  return LOCALES.has(language) ? language : 'en';
}
