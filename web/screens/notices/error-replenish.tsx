// A make-up payment whose link does not work: what to do about it. @source specification section 8, "User messages"
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { currentRegion } from '#web/platform/region.ts';
import { buttonClass } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';

export function ErrorReplenish() {
  useLanguage();
  const { support } = readLegal(useBrand(), [], '', currentRegion());
  return (
    <ShopPage isPlain hasFooter={false}>
      <VoidState
        level={1}
        art="st-error"
        title={t('error_params.title')}
        text={t('error_params.text')}
        action={
          support && (
            <a className={buttonClass('pay')} href={support} target="_blank" rel="noopener noreferrer">
              {t('footer.support')}
            </a>
          )
        }
      />
    </ShopPage>
  );
}
