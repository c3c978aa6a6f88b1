// Opens the second choice of a channel; its code comes with the first use.
import { lazy } from 'react';
import { openPopup } from '#web/platform/popups.tsx';
import type { SubChannelPopupProps } from './SubChannelPopup.tsx';

const SubChannelPopup = lazy(() =>
  import('./SubChannelPopup.tsx').then((module) => ({ default: module.SubChannelPopup })),
);

export function openSubChannels(props: SubChannelPopupProps): void {
  openPopup(SubChannelPopup, props);
}
