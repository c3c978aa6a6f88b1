// VIP centre. Its address is not found where the brand has no VIP version.
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { VipCentre } from '#web/features/vip/VipCentre.tsx';
import { paths } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Link } from '#web/platform/router/Router.tsx';
import { buttonClass } from '#web/ui/controls/Button.tsx';

export function UserCenter() {
  useLanguage();
  return (
    <ShopPage isPlain hasFooter={false}>
      <VipCentre
        topUp={
          <Link className={buttonClass('pay')} to={paths.selectGoods}>
            {t('nav.topup')}
          </Link>
        }
      />
    </ShopPage>
  );
}
