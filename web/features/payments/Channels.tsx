// The ways to pay for one product in each of their states: loading, there, none, failed. Shared by panel and popup.
import type { PaymentOption } from '#contracts/payments.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { ChannelList, ChannelSkeleton } from './ChannelList.tsx';
import { chooseChannel, useChosenChannel } from './chosen-channel.ts';
import { openSubChannels } from './open-sub-channels.ts';
import { type ChannelPlace, useChannels } from './queries.ts';
import styles from './payments.module.css';

export type ChannelsProps = {
  /** Of the radio group: panel and popup may be on one page. */
  name: string;
  place: ChannelPlace;
  hasCoupon: boolean;
};

export function Channels({ name, place, hasCoupon }: ChannelsProps) {
  useLanguage();
  const chosen = useChosenChannel();
  const channels = useChannels(place);
  if (channels.isError && !channels.data) {
    return (
      <div className={styles.stack}>
        <Note tone="bad">{t('recharge.load_error')}</Note>
        <Button onClick={() => void channels.refetch()}>{t('goods.retry')}</Button>
      </div>
    );
  }
  if (!channels.data) return <ChannelSkeleton />;
  if (channels.data.length === 0)
    return <Note tone="wait">{t('recharge.tip_no_data', { country: place.country })}</Note>;
  const choose = (option: PaymentOption) => {
    // A channel with sub-channels is chosen by one of them.
    if (option.sub_payment.length > 0) openSubChannels({ option, chosen });
    else chooseChannel(option.key);
  };
  return <ChannelList name={name} regions={channels.data} chosen={chosen} hasCoupon={hasCoupon} onChoose={choose} />;
}
