// Opens the popups of the games; their code comes with the first use.
import { lazy } from 'react';
import { openPopup } from '#web/platform/popups.tsx';
import type { GameListPopupProps } from './GameListPopup.tsx';
import type { RolePopupProps } from './RolePopup.tsx';

const RolePopup = lazy(() => import('./RolePopup.tsx').then((module) => ({ default: module.RolePopup })));
const GameListPopup = lazy(() => import('./GameListPopup.tsx').then((module) => ({ default: module.GameListPopup })));

export function openRoles(props: RolePopupProps): void {
  openPopup(RolePopup, props);
}

export function openGames(props: GameListPopupProps): void {
  openPopup(GameListPopup, props);
}
