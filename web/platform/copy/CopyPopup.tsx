// A text to copy by hand, selected already.
import { Field } from '#web/ui/controls/Field.tsx';
import { t, useLanguage } from '../i18n.ts';
import { PopupSheet } from '../popups/PopupSheet.tsx';

export function CopyPopup({ text, title }: { text: string; title: string }) {
  useLanguage();
  return (
    <PopupSheet title={title}>
      <Field
        label={t('result.copy_by_hand')}
        value={text}
        readOnly
        dir="ltr"
        onChange={() => undefined}
        onFocus={(event) => event.currentTarget.select()}
      />
    </PopupSheet>
  );
}
