// Any address that is none of ours. @source specification section 2, "404 page"
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { paths } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Link } from '#web/platform/router/Router.tsx';
import { buttonClass } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';

export function NotFound() {
  useLanguage();
  return (
    <ShopPage isPlain hasFooter={false}>
      <VoidState
        level={1}
        art="st-notfound"
        title={t('not_found.title')}
        text={t('not_found.text')}
        action={
          <Link className={buttonClass('pay')} to={paths.home}>
            {t('not_found.home')}
          </Link>
        }
      />
    </ShopPage>
  );
}
