// A page whose code did not come: the rest of the shop stays around it.
import { useState } from 'react';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { LostPage } from '#web/platform/lazy/Boundary.tsx';

/** Tries of this visit that failed, over all pages: the second loss offers more than another try. */
let losses = 0;

export function LostScreen({ reset }: { reset: () => void }) {
  const [isAgain] = useState(() => losses > 0);
  const retry = () => {
    losses += 1;
    reset();
  };
  return (
    <ShopPage isPlain hasFooter={false}>
      <LostPage lost={{ isAgain, retry }} />
    </ShopPage>
  );
}
