// Shown when a brand does not sell where the player came from; where it sells in several regions one can be chosen.
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { RegionChoice } from '#web/features/layout/RegionChoice.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { VoidState } from '#web/ui/VoidState.tsx';
import styles from './notices.module.css';
import { usePageTitle } from './page-title.ts';

export function NotArea() {
  useLanguage();
  const { regions } = readBoot();
  const title = t('not_area.title');
  usePageTitle(title);
  return (
    <ShopPage isPlain>
      <VoidState
        level={1}
        art="st-region"
        title={title}
        text={regions.length > 1 ? t('not_area.choose_text') : t('not_area.text')}
        action={
          <div className={styles.regions}>
            {regions.length > 0 && <span className={styles.label}>{t('not_area.regions')}</span>}
            <RegionChoice regions={regions} />
          </div>
        }
      />
    </ShopPage>
  );
}
