// "Go to payment": the address of an order that is waiting to be paid, as a link.
import { t } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';
import { track } from '#web/platform/visitor/track.ts';
import { isPayLink } from './pay-link.ts';
import { followPayLink } from './pay-window.ts';

/** The address as a link may have it; empty when it may not be opened. */
export function payHref(url: string): string {
  return url !== '' && isPayLink(url, location.href) ? url : '';
}

/** A press on "Go to payment". @source specification section 8: "The link is invalid, please refresh and try again." */
export function goToPay(press: Parameters<typeof followPayLink>[0], url: string): void {
  track('to_pay');
  if (payHref(url) === '') showToast(t('recharge.link_invalid'), 'bad');
  else followPayLink(press, url);
}
