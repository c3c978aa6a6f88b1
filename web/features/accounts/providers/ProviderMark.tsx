// A provider's mark: drawn by us, nobody's logo. Decoration, the name stands beside it.
import { useEffect } from 'react';
import type { LoginKind } from '#contracts/logins.ts';
import marksUrl from '#web/art/idp.svg';
import { loadSprite } from '#web/ui/pictures/sprite.ts';

export function ProviderMark({ kind }: { kind: LoginKind }) {
  useEffect(() => {
    void loadSprite(marksUrl);
  }, []);
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <use href={`#idp-${kind}`} />
    </svg>
  );
}
