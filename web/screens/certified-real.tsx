// Receives players from the real-name check. @source specification section 2, "/certifiedReal"
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { RealNameResult } from '#web/features/realname/RealNameResult.tsx';
import { paths, writeQuery } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { useSearch } from '#web/platform/router/Router.tsx';
import { buttonClass } from '#web/ui/controls/Button.tsx';

export function CertifiedReal() {
  useLanguage();
  const search = useSearch();
  return (
    <ShopPage isPlain hasFooter={false}>
      <RealNameResult
        // A page of its own load: what the shop knew of the player when it began is over.
        home={
          <a className={buttonClass('pay')} href={`${paths.home}${writeQuery(search)}`}>
            {t('real_name.home')}
          </a>
        }
      />
    </ShopPage>
  );
}
