// A page that this shop does not have at the moment: no event running, no members' area open.
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { paths } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Link } from '#web/platform/router/Router.tsx';
import { buttonClass } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';

export function NotOpen() {
  useLanguage();
  return (
    <ShopPage isPlain>
      <VoidState
        level={1}
        art="st-empty"
        title={t('not_open.title')}
        text={t('not_open.text')}
        action={
          <Link className={buttonClass('pay')} to={paths.selectGoods}>
            {t('not_open.shop')}
          </Link>
        }
      />
    </ShopPage>
  );
}
