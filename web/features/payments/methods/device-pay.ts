// What the device can pay by itself: Apple Pay is asked of Safari, Google Pay of the browser's own sheet. Both only ask, neither pays.
import { useSyncExternalStore } from 'react';
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

type GooglePage = { PaymentRequest?: typeof PaymentRequest };

/** The least that Google asks about cards; nothing of it is ever charged. @source developers.google.com/pay/api/web, PaymentRequest */
const GOOGLE_PAY = {
  supportedMethods: 'https://google.com/pay',
  data: {
    apiVersion: 2,
    apiVersionMinor: 0,
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: { allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'], allowedCardNetworks: ['VISA', 'MASTERCARD'] },
      },
    ],
  },
};

export async function canGooglePay(page: GooglePage): Promise<boolean> {
  if (!page.PaymentRequest) return false;
  try {
    const total = { label: '', amount: { currency: 'USD', value: '0' } };
    return await new page.PaymentRequest([GOOGLE_PAY], { total }).canMakePayment();
  } catch {
    return false;
  }
}

let known: DevicePay | null = null;
const listeners = new Set<() => void>();

function ask(): DevicePay {
  known = { applePay: canApplePay(window as ApplePage), googlePay: false };
  void canGooglePay(window).then((googlePay) => {
    if (!googlePay) return;
    known = { applePay: known?.applePay ?? false, googlePay };
    for (const listener of listeners) listener();
  });
  return known;
}

/** Asked once a page; what is known later shows then. */
export function useDevicePay(): DevicePay {
  const read = () => known ?? ask();
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read,
    read,
  );
}
