// "Go to payment": opens the page of an order that is waiting to be paid.
import { t } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';
import { track } from '#web/platform/track.ts';
import { isPayLink } from './pay-link.ts';
import { openPayLink } from './pay-window.ts';

/** Opens the address in a new window when it may be opened, says so when not. */
export function goToPay(url: string): void {
  track('to_pay');
  if (isPayLink(url, location.href)) openPayLink(url);
  else showToast(t('recharge.link_invalid'), 'bad');
}
