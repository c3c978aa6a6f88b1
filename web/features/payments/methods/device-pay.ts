// Detects the device's own payment methods: Apple Pay is asked of Safari, Google Pay is told by the browser. Nobody
// outside is asked.
import { platformOf } from '#web/platform/device.ts';
import type { DevicePay } from './method-rules.ts';

type ApplePage = { ApplePaySession?: { canMakePayments: () => boolean } };

/** @source developer.apple.com, ApplePaySession.canMakePayments: whether the device supports Apple Pay */
export function canApplePay(page: ApplePage): boolean {
  try {
    return page.ApplePaySession?.canMakePayments() ?? false;
  } catch {
    // An insecure page is answered by an exception.
    return false;
  }
}

type GooglePage = { PaymentRequest?: unknown; navigator: Pick<Navigator, 'userAgent' | 'maxTouchPoints'> };

/**
 * Android's browsers with payment sheets; the views inside apps have none. Google itself is not
 * asked: its own question would tell Google of everybody who looks at a price, and the page's policy lets nothing out.
 */
export function canGooglePay(page: GooglePage): boolean {
  const { userAgent, maxTouchPoints } = page.navigator;
  return page.PaymentRequest !== undefined && platformOf(userAgent, maxTouchPoints) === 'android';
}

let known: DevicePay | null = null;

/** Asked once a page: a device does not change. */
export function devicePay(): DevicePay {
  known ??= { applePay: canApplePay(window as ApplePage), googlePay: canGooglePay(window) };
  return known;
}
