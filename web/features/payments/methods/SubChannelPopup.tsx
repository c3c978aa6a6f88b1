// The second choice of a method that has several ways inside. @source specification section
// 2, "secondary payment channel"
import { useState } from 'react';
import { chooseChannel } from '#web/features/payments/chosen-channel.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { keyOfChoice, type MethodView } from './method-rules.ts';
import { MethodRow } from './MethodRow.tsx';
import styles from './methods.module.css';

export type SubChannelPopupProps = { method: MethodView; chosen: string };

export function SubChannelPopup({ method, chosen }: SubChannelPopupProps) {
  useLanguage();
  const { close } = usePopup();
  const [key, setKey] = useState(chosen);
  const isOurs = method.seconds.some((second) => second.key === key);
  const use = () => {
    chooseChannel(keyOfChoice(method.key, key));
    close();
  };
  const foot = (
    <Button kind="pay" isWide disabled={!isOurs} onClick={use}>
      {t('recharge.sub_use')}
    </Button>
  );
  return (
    <PopupSheet title={t('recharge.sub_title', { name: method.name })} foot={foot}>
      <fieldset className={styles.ways}>
        <legend>{t('recharge.choose')}</legend>
        {method.seconds.map((second) => (
          <MethodRow
            key={second.key}
            name="sub-way"
            value={second.key}
            title={second.name}
            mark={second.icon}
            isChosen={second.key === key}
            note={second.hint === method.hint ? '' : second.hint}
            onChoose={() => setKey(second.key)}
          />
        ))}
      </fieldset>
    </PopupSheet>
  );
}
