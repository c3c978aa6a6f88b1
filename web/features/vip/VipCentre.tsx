// The VIP centre: level and points, then rewards and coupons in tabs.
import { type ReactNode, useState } from 'react';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Tabs } from '#web/ui/controls/Tabs.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { VipCoupons } from './VipCoupons.tsx';
import { VipHead } from './VipHead.tsx';
import { VipRewards } from './VipRewards.tsx';
import { useProgramme, useVipInfo } from './queries.ts';
import styles from './vip.module.css';

/** @param props.topUp a link to the goods */
export function VipCentre({ topUp }: { topUp: ReactNode }) {
  useLanguage();
  const user = useUser();
  const programme = useProgramme();
  const info = useVipInfo();
  const [tab, setTab] = useState<'rewards' | 'coupons'>('rewards');
  if ((programme.isError && !programme.data) || (user && info.isError && !info.data)) {
    const reload = () => {
      void programme.refetch();
      if (user) void info.refetch();
    };
    const retry = <Button onClick={reload}>{t('goods.retry')}</Button>;
    return (
      <VoidState
        level={1}
        art="st-error"
        title={t('vip.load_error')}
        text={tellFault(programme.error ?? info.error)}
        action={retry}
      />
    );
  }
  if (!programme.data || (user && !info.data)) {
    return (
      <div className={styles.page} role="status" aria-busy="true" aria-label={t('vip.label')}>
        <Skeleton className={styles.bone} />
        <Skeleton className={styles.bone} />
      </div>
    );
  }
  const own = user ? info.data : undefined;
  const tabs = (['rewards', 'coupons'] as const).map((key) => ({ key, label: t(`vip.tab_${key}`) }));
  return (
    <div className={styles.page}>
      <VipHead topUp={topUp} programme={programme.data} info={own} />
      {user ? (
        <Tabs label={t('vip.label')} tabs={tabs} chosen={tab} onChoose={setTab}>
          {tab === 'rewards' ? <VipRewards programme={programme.data} info={own} /> : <VipCoupons />}
        </Tabs>
      ) : (
        <VipRewards programme={programme.data} info={own} />
      )}
    </div>
  );
}
