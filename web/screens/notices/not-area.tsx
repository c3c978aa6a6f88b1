// Shown when a brand does not sell where the player came from; where it sells in several regions one can be chosen.
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { RegionChoice } from '#web/features/layout/RegionChoice.tsx';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { VoidState } from '#web/ui/VoidState.tsx';

export function NotArea() {
  useLanguage();
  const { regions } = readBoot();
  return (
    <ShopPage isPlain hasFooter={false}>
      <VoidState
        level={1}
        art="st-region"
        title={t('not_area.title')}
        text={regions.length > 1 ? t('not_area.choose_text') : t('not_area.text')}
        action={<RegionChoice regions={regions} />}
      />
    </ShopPage>
  );
}
