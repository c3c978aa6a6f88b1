// Which payment addresses may be opened. Pure.

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Returns true when a payment address may be opened: https, or plain http between a demo page and a provider on this
 * very machine.
 * @source specification section 5: "the opened link must be valid"; section 8: "The link is invalid"
 */
export function isPayLink(url: string, pageUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const link = new URL(url);
  if (link.username || link.password) return false;
  if (link.protocol === 'https:') return true;
  return link.protocol === 'http:' && LOOPBACK.test(link.hostname) && LOOPBACK.test(new URL(pageUrl).hostname);
}
