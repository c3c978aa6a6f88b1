// The movements of the delivery, by the browser's own animations. No sound ever.

/** Our choice: enough for a stream, few enough for a cheap phone. */
export const COINS = 12;
const OPEN_MS = 350;
const STAGGER_MS = 60;
const FLIGHT_MS = 750;
const VIBRATE_MS = 40;

export type Moments = { onOpen: () => void; onCount: (shown: number) => void };

/**
 * Plays once, and not before somebody looks: the provider's window may still be in front.
 * @param total what the counter runs up to
 * @returns the way to stop; the counter stands at `total` then
 */
export function playDelivery(scene: HTMLElement, total: number, { onOpen, onCount }: Moments): () => void {
  const stops: (() => void)[] = [];
  const start = () => {
    if (document.visibilityState === 'hidden') return;
    document.removeEventListener('visibilitychange', start);
    onOpen();
    const landing = OPEN_MS + FLIGHT_MS;
    flyCoins(scene, stops);
    const timer = setTimeout(() => {
      // Pages that nobody has touched may not shake a phone, and Chromium complains of the try.
      if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATE_MS);
    }, landing);
    stops.push(() => clearTimeout(timer), countUp(total, landing, COINS * STAGGER_MS, onCount));
  };
  document.addEventListener('visibilitychange', start);
  start();
  return () => {
    document.removeEventListener('visibilitychange', start);
    for (const stop of stops) stop();
    onCount(total);
  };
}

/** From the box along an arc into the character's card. */
function flyCoins(scene: HTMLElement, stops: (() => void)[]): void {
  const bag = scene.querySelector('[data-bag]')?.getBoundingClientRect();
  if (!bag) return;
  for (const [index, coin] of scene.querySelectorAll('[data-coin]').entries()) {
    const from = coin.getBoundingClientRect();
    const x = bag.left + bag.width / 2 - from.left - from.width / 2;
    const y = bag.top + bag.height / 2 - from.top - from.height / 2;
    // Fans out to both sides before it falls.
    const side = ((index % 6) - 2.5) * 28;
    const flight = coin.animate?.(
      [
        { translate: '0 0', scale: 0.3, opacity: 0 },
        { translate: `${side}px -54px`, scale: 1, opacity: 1, offset: 0.35, easing: 'ease-in' },
        { translate: `${x}px ${y}px`, scale: 0.4, opacity: 0.9 },
      ],
      { duration: FLIGHT_MS, delay: OPEN_MS + index * STAGGER_MS, easing: 'ease-out', fill: 'backwards' },
    );
    if (!flight) continue;
    // Ended before its time it is refused, which is nobody's concern.
    flight.finished?.catch(() => undefined);
    stops.push(() => flight.cancel());
  }
}

/** Runs from 0 to `total` within `lastsMs`, after `delayMs`, fast first. */
function countUp(total: number, delayMs: number, lastsMs: number, onCount: (shown: number) => void): () => void {
  const begin = performance.now() + delayMs;
  let frame = requestAnimationFrame(function step(now) {
    const part = Math.min(1, Math.max(0, (now - begin) / lastsMs));
    onCount(Math.round(total * (1 - (1 - part) ** 3)));
    if (part < 1) frame = requestAnimationFrame(step);
  });
  return () => cancelAnimationFrame(frame);
}
