// Asks for a player's age, once, when an order was refused for want of it.
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';

const AgePopup = lazyPart(() => import('./AgePopup.tsx').then((module) => module.AgePopup));

export function openAge(): void {
  openPopup(AgePopup, {});
}
