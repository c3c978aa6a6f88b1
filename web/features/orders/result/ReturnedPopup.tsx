// In a tab that came back from a provider's page while the shop is open in another one: it may be closed.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';

/** Where the browser lets no script close a tab, the player does. */
export function ReturnedPopup({ onStay }: { onStay: () => void }) {
  useLanguage();
  const { close } = usePopup();
  const stay = () => {
    close();
    onStay();
  };
  const foot = (
    <Button kind="quiet" isWide onClick={stay}>
      {t('result.returned_stay')}
    </Button>
  );
  return (
    <PopupSheet title={t('result.title')} isTitleHidden isLight={false} foot={foot}>
      <VoidState art="st-done" title={t('result.returned_title')} text={t('result.returned_text')} />
    </PopupSheet>
  );
}
