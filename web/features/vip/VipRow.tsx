// On My: the level, and the way to the VIP centre. Nothing where the brand has none.
import { paths } from '#web/paths.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Link } from '#web/platform/router/Router.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { useVipInfo } from './queries.ts';
import styles from './vip-row.module.css';

export function VipRow() {
  return useBrand().isVip ? <Row /> : null;
}

function Row() {
  useLanguage();
  const { data: info } = useVipInfo();
  return (
    <Link className={styles.row} to={paths.userCenter}>
      <Icon name="star" />
      <span>
        <b>{t('vip.label')}</b>
        {info && <bdi>{info.vip_level_name}</bdi>}
      </span>
      <Icon name="chevron-right" />
    </Link>
  );
}
