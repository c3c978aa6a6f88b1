// The browser's half of Airwallex, as far as a hosted payment page needs it.

/**
 * JavaScript that puts `AirwallexComponentsSDK` on the window: `init` gives `payments`, whose `redirectToCheckout`
 * leaves for the checkout page.
 * @param checkoutUrl of this simulator, without an intent
 * @source npm @airwallex/components-sdk 1.35.2: `init`, `enabledElements`, `HostPaymentPage`
 */
export function airwallexScript(checkoutUrl: string): string {
  return `(() => {
  const redirectToCheckout = (options) => {
    if (!options.intent_id || !options.client_secret || !options.currency)
      throw new Error('intent_id, client_secret and currency are required');
    const url = new URL(${JSON.stringify(`${checkoutUrl}/`)} + encodeURIComponent(options.intent_id));
    url.searchParams.set('client_secret', options.client_secret);
    if (options.successUrl) url.searchParams.set('success_url', options.successUrl);
    if (options.methods) url.searchParams.set('methods', options.methods.join(', '));
    window.location.assign(url.href);
  };
  window.AirwallexComponentsSDK = {
    async init(options = {}) {
      if (!['demo', 'prod'].includes(options.env)) throw new Error('env must be demo or prod');
      return (options.enabledElements ?? []).includes('payments') ? { payments: { redirectToCheckout } } : {};
    },
  };
})();
`;
}
