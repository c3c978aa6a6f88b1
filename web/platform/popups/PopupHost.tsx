// Draws the stack of popups, each behind a boundary of its own: one whose code got lost takes nothing along.
import { Suspense, useEffect } from 'react';
import { Boundary, LostSheet } from '../lazy/Boundary.tsx';
import { watchBack } from './popup-history.ts';
import { closePopup, isPopupOpen, PopupContext, topOf, usePopups } from './popups.tsx';

/** Stands once, at the root of the page. */
export function PopupHost() {
  const popups = usePopups();
  useEffect(() => watchBack({ closeTop: () => closePopup(), hasOpen: isPopupOpen }), []);
  return popups.map((popup) => (
    <PopupContext key={popup.id} value={{ popup, isTop: popup === topOf(popups) }}>
      <Boundary fallback={(lost) => <LostSheet lost={lost} />}>
        <Suspense fallback={null}>{popup.render()}</Suspense>
      </Boundary>
    </PopupContext>
  ));
}
