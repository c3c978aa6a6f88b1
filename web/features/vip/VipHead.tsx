// The player's level with its star, the points, and how far the next level is.
import type { ReactNode } from 'react';
import type { VipBasicInfo, VipInfo } from '#contracts/vip.ts';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { standingOf } from './rules.ts';
import styles from './vip.module.css';

type VipHeadProps = { programme: VipBasicInfo; info: VipInfo | undefined; topUp: ReactNode };

/** @param props.topUp the way to what brings points, for whoever is logged in */
export function VipHead({ programme, info, topUp }: VipHeadProps) {
  useLanguage();
  const user = useUser();
  const [rate] = programme.point_to_coin;
  return (
    <section className={styles.head} aria-labelledby="vip-head">
      <span className={styles.badge} aria-hidden="true">
        <Icon name="star" />
        {info && <b>{info.vip_level_show}</b>}
      </span>
      <div className={styles.headWords}>
        <h1 className="voice" id="vip-head">
          {info ? <bdi>{info.vip_level_name}</bdi> : t('nav.vip')}
        </h1>
        {info && <p>{t('vip.points', { count: info.total_points, points: countIn(info.total_points) })}</p>}
        {!user && <p>{t('vip.login')}</p>}
      </div>
      {info && <Progress programme={programme} info={info} />}
      {info && topUp}
      {!user && (
        <Button kind="pay" onClick={() => openLogin()}>
          {t('login.submit')}
        </Button>
      )}
      {rate && (
        <p className={styles.earn}>
          {t('vip.earn', { count: rate.points, points: countIn(rate.points), amount: rate.coin_shown })}
        </p>
      )}
    </section>
  );
}

type ProgressProps = { programme: VipBasicInfo; info: VipInfo };

/** @source specification section 9: "points needed for next level; progress cap 100%" */
function Progress({ programme, info }: ProgressProps) {
  useLanguage();
  const { next, left, percent } = standingOf(programme.vip_level_infos, info);
  return (
    <div className={styles.progress}>
      <progress max={100} value={percent} aria-label={t('vip.progress')} />
      <p>
        {next ? t('vip.left', { count: left, points: countIn(left), level: next.level_name }) : t('vip.highest')}
        <span className={styles.percent}>
          <bdi>{percent.toFixed(2)}%</bdi>
        </span>
      </p>
    </div>
  );
}
