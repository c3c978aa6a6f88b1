// Opens the popups of the payments; their code comes with the first use, or a little before.
import { lazy } from 'react';
import { openPopup } from '#web/platform/popups.tsx';
import type { RechargePopupProps } from './RechargePopup.tsx';
import type { SubChannelPopupProps } from './SubChannelPopup.tsx';

const RechargePopup = lazy(() => import('./RechargePopup.tsx').then((module) => ({ default: module.RechargePopup })));
const SubChannelPopup = lazy(() =>
  import('./SubChannelPopup.tsx').then((module) => ({ default: module.SubChannelPopup })),
);

/** Fetches the code of the popup ahead, once a product is chosen. */
export function warmRecharge(): void {
  void import('./RechargePopup.tsx');
}

export function openRecharge(props: RechargePopupProps): void {
  openPopup(RechargePopup, props);
}

export function openSubChannels(props: SubChannelPopupProps): void {
  openPopup(SubChannelPopup, props);
}
