// Which payment addresses may be opened. Pure.
import { isLoopbackHost } from '#kernel/pay-link.ts';
import { readUrl } from '#kernel/read-url.ts';

/**
 * Returns true when the page may open a payment address, whose host the server has checked: https, or plain http between a demo page and a provider on this
 * very machine.
 * @source specification section 5: "the opened link must be valid"; section 8: "The link is invalid"
 */
export function isPayLink(url: string, pageUrl: string): boolean {
  const link = readUrl(url);
  if (!link || link.username || link.password) return false;
  if (link.protocol === 'https:') return true;
  return link.protocol === 'http:' && isLoopbackHost(link.hostname) && isLoopbackHost(new URL(pageUrl).hostname);
}
