// Which game one logs in for.
import { readBoot } from '#web/platform/boot.ts';

/** The client id of the address, else the page's own. */
export function clientOfPage(): string {
  return new URLSearchParams(location.search).get('client_id') || readBoot().clientId;
}
