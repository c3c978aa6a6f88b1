// Draws a popup: ui/Sheet joined to the stack. Imported by popups only, for it brings the dialog library.
import { type ReactNode, useEffect } from 'react';
import { Sheet } from '#web/ui/Sheet.tsx';
import { t, useLanguage } from '../i18n.ts';
import { removePopup, setPopupBusy, usePopup } from './popups.tsx';

export type PopupSheetProps = {
  title: string;
  isTitleHidden?: boolean;
  isWide?: boolean;
  isSplit?: boolean;
  /** While true nothing closes it. */
  isBusy?: boolean;
  /** False where a press outside must not close it: a half-filled form, a payment under way. */
  isLight?: boolean;
  foot?: ReactNode;
  children: ReactNode;
};

export function PopupSheet({ isBusy = false, ...props }: PopupSheetProps) {
  useLanguage();
  const { popup, isTop, close } = usePopup();
  useEffect(() => setPopupBusy(popup.id, isBusy), [popup.id, isBusy]);
  return (
    <Sheet
      {...props}
      isOpen={isTop && !popup.isClosing}
      isBusy={isBusy}
      closeLabel={t('popup.close')}
      onClose={close}
      onClosed={() => popup.isClosing && removePopup(popup.id)}
      returnFocusTo={popup.opener}
    />
  );
}
