// In a tab that came back from a provider's page while the shop is open elsewhere, in another tab or inside a game: it
// may be closed.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';

/**
 * The player closes the tab, as the browser lets no script close it. Neither picture nor words say whether anything was
 * paid: this page does not know.
 * @param props.isStranger nobody is logged in here, as where the shop stands in a game's frame: its login is that
 * frame's own
 */
export function ReturnedPopup({ onStay, isStranger = false }: { onStay: () => void; isStranger?: boolean }) {
  useLanguage();
  const { close } = usePopup();
  const stay = () => {
    close();
    onStay();
  };
  const foot = (
    <Button kind="quiet" isWide onClick={stay}>
      {t(isStranger ? 'login.submit' : 'result.returned_stay')}
    </Button>
  );
  return (
    <PopupSheet title={t('result.title')} isTitleHidden isLight={false} foot={foot}>
      <VoidState
        art="st-empty"
        title={t(isStranger ? 'result.stranger_title' : 'result.returned_title')}
        text={t(isStranger ? 'result.stranger_text' : 'result.returned_text')}
      />
    </PopupSheet>
  );
}
