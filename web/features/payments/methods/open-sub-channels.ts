// Opens the second choice of a method; its code comes with the first use.
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { track } from '#web/platform/visitor/track.ts';
import type { SubChannelPopupProps } from './SubChannelPopup.tsx';

const SubChannelPopup = lazyPart(() => import('./SubChannelPopup.tsx').then((module) => module.SubChannelPopup));

export function openSubChannels(props: SubChannelPopupProps): void {
  track('sub_channel_open', { channel: props.method.option });
  openPopup(SubChannelPopup, props);
}
