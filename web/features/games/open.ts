// Opens the popups of the games; their code comes with the first use.
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import type { GameListPopupProps } from './list/GameListPopup.tsx';
import type { RolePopupProps } from './roles/RolePopup.tsx';

const RolePopup = lazyPart(() => import('./roles/RolePopup.tsx').then((module) => module.RolePopup));
const GameListPopup = lazyPart(() => import('./list/GameListPopup.tsx').then((module) => module.GameListPopup));

/** @returns its id, for closePopup */
export function openRoles(props: RolePopupProps, onClosed?: () => void): number {
  return openPopup(RolePopup, props, onClosed);
}

export function openGames(props: GameListPopupProps): void {
  openPopup(GameListPopup, props);
}
