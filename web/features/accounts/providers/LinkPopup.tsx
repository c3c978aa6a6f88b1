// The shop's address to copy by hand, selected already.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { Field } from '#web/ui/controls/Field.tsx';

export function LinkPopup({ link }: { link: string }) {
  useLanguage();
  return (
    <PopupSheet title={t('login.copy')}>
      <Field
        label={t('login.copy_by_hand')}
        value={link}
        readOnly
        dir="ltr"
        onChange={() => undefined}
        onFocus={(event) => event.currentTarget.select()}
      />
    </PopupSheet>
  );
}
