// Whose arrival this tab has shown already: a step forward to an old result is no news.

const seen = new Set<string>();
const KEY = 'refill.arrived';

/** True the first time for an order, in this tab, reloads included where the browser keeps anything. */
export function isFirstLook(billingNo: string): boolean {
  let kept = '';
  try {
    kept = sessionStorage.getItem(KEY) ?? '';
    sessionStorage.setItem(KEY, billingNo);
  } catch {
    // Storage is shut: the page itself remembers.
  }
  const isFirst = !seen.has(billingNo) && kept !== billingNo;
  seen.add(billingNo);
  return isFirst;
}
