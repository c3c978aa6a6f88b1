// Settings that make a shop use the first three simulators, whose accounts stand in the common credentials; those of
// all others stand beside their code.
import type { Credentials } from '#simulators/kit/credentials.ts';

/** `host:port,host:port` of both origins. */
export function hostsOf(page: string, api: string): string {
  return `${new URL(page).host},${new URL(api).host}`;
}

/**
 * @param api origin for programs
 * @param page origin for browsers
 */
export function firstAccounts(
  { paypal, xsolla, adyen }: Pick<Credentials, 'paypal' | 'xsolla' | 'adyen'>,
  api: string,
  page: string,
): Record<string, string> {
  const hosts = hostsOf(page, api);
  return {
    REFILL_PAYPAL_DEMO_API_BASE: `${api}/paypal`,
    REFILL_PAYPAL_DEMO_CLIENT_ID: paypal.clientId,
    REFILL_PAYPAL_DEMO_CLIENT_SECRET: paypal.clientSecret,
    REFILL_PAYPAL_DEMO_WEBHOOK_ID: paypal.webhookId,
    REFILL_PAYPAL_DEMO_CERT_HOSTS: hosts,
    REFILL_PAYPAL_DEMO_PAY_HOSTS: hosts,
    REFILL_XSOLLA_DEMO_API_BASE: `${api}/xsolla`,
    REFILL_XSOLLA_DEMO_PAY_STATION_BASE: `${page}/xsolla`,
    REFILL_XSOLLA_DEMO_MERCHANT_ID: String(xsolla.merchantId),
    REFILL_XSOLLA_DEMO_PROJECT_ID: String(xsolla.projectId),
    REFILL_XSOLLA_DEMO_API_KEY: xsolla.apiKey,
    REFILL_XSOLLA_DEMO_PROJECT_SECRET: xsolla.projectSecret,
    REFILL_XSOLLA_DEMO_PAY_HOSTS: hosts,
    REFILL_ADYEN_DEMO_API_BASE: `${api}/adyen/v72`,
    REFILL_ADYEN_DEMO_API_KEY: adyen.apiKey,
    REFILL_ADYEN_DEMO_MERCHANT_ACCOUNT: adyen.merchantAccount,
    REFILL_ADYEN_DEMO_HMAC_KEYS: adyen.hmacKey,
    REFILL_ADYEN_DEMO_PAY_HOSTS: hosts,
  };
}
