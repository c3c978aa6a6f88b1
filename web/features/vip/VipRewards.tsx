// The levels with what each of them gives, the player's own marked, and how the programme works.
import type { LevelCouponInfo, LevelCouponState, VipBasicInfo, VipInfo, VipLevelInfo } from '#contracts/vip.ts';
import { ClaimButton, CouponTicket } from '#web/platform/coupon/CouponTicket.tsx';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { SafeHtml } from '#web/platform/popups/SafeHtml.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { useClaim } from './queries.ts';
import styles from './vip.module.css';

export function VipRewards({ programme, info }: { programme: VipBasicInfo; info: VipInfo | undefined }) {
  useLanguage();
  return (
    <div className={styles.stack}>
      {programme.vip_level_infos.map((level) => (
        <Level key={level.level_id} level={level} info={info} />
      ))}
      <details className={styles.faq}>
        <summary>
          {programme.faq_title}
          <Icon name="chevron-down" />
        </summary>
        <SafeHtml html={programme.faq_content} />
      </details>
    </div>
  );
}

function Level({ level, info }: { level: VipLevelInfo; info: VipInfo | undefined }) {
  useLanguage();
  const isOwn = info?.vip_level === level.level_id;
  const isReached = info !== undefined && info.total_points >= level.need_points;
  const points = countIn(level.need_points);
  return (
    <section className={styles.level} data-own={isOwn || undefined} data-reached={isReached || undefined}>
      <h2>
        <span className={styles.mark}>
          <Icon name="star" />
          {level.level_show}
        </span>
        <bdi>{level.level_name}</bdi>
        {isOwn && <Chip tone="spark">{t('vip.your_level')}</Chip>}
      </h2>
      <p>{t('vip.from', { count: level.need_points, points })}</p>
      {level.coupons_list.length === 0 ? (
        <p className={styles.start}>{t('vip.start')}</p>
      ) : (
        <ul className={styles.coupons}>
          {level.coupons_list.map((coupon) => (
            <LevelCoupon
              key={coupon.id}
              coupon={coupon}
              state={info?.level_coupons.find(({ id }) => id === coupon.id)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function LevelCoupon({ coupon, state }: { coupon: LevelCouponInfo; state: LevelCouponState | undefined }) {
  useLanguage();
  const claim = useClaim();
  const name = coupon.name_shown;
  return (
    <CouponTicket
      rate={coupon.discount_rate}
      name={name}
      isDull={state?.state === 'locked'}
      action={
        state?.state === 'claimable' ? (
          <ClaimButton onClaim={() => claim(state.code, name)} />
        ) : (
          <Chip tone={state?.state === 'claimed' ? 'ok' : 'plain'} icon={state?.state === 'claimed' ? 'check' : 'lock'}>
            {t(state?.state === 'claimed' ? 'vip.claimed' : 'vip.locked')}
          </Chip>
        )
      }
    >
      <span>{t(`vip.${coupon.type}`)}</span>
    </CouponTicket>
  );
}
