// The second choice of a channel that has several ways inside. @source specification section 2, "secondary payment channel"
import { useState } from 'react';
import type { PaymentOption } from '#contracts/payments.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups.tsx';
import { Button } from '#web/ui/Button.tsx';
import { chooseChannel } from './chosen-channel.ts';
import { SubChannels } from './RechargeBody.tsx';

export type SubChannelPopupProps = { option: PaymentOption; chosen: string };

export function SubChannelPopup({ option, chosen }: SubChannelPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const [key, setKey] = useState(chosen);
  const isOurs = option.sub_payment.some((sub) => sub.key === key);
  const use = () => {
    chooseChannel(key);
    close();
  };
  const foot = (
    <Button kind="pay" isWide disabled={!isOurs} onClick={use}>
      {t('recharge.sub_use')}
    </Button>
  );
  return (
    <PopupSheet title={t('recharge.sub_title', { name: option.name })} foot={foot}>
      <SubChannels option={option} chosen={key} onChoose={(sub) => setKey(sub.key)} />
    </PopupSheet>
  );
}
