// A drawing of the goods sprite (pack-1..6, item-*, cur, game-*, avatar) or of the states (st-*).
// Decoration: no text of its own.
import { useEffect } from 'react';
import goodsUrl from '#web/art/goods.svg';
import statesUrl from '#web/art/states.svg';
import { loadSprite } from './sprite.ts';

/** @param name id of a symbol; an unknown one draws nothing */
export function Art({ name }: { name: string }) {
  useEffect(() => {
    void loadSprite(name.startsWith('st-') ? statesUrl : goodsUrl);
  }, [name]);
  return (
    <svg viewBox={viewBoxOf(name)} aria-hidden="true">
      <use href={`#${name}`} />
    </svg>
  );
}

function viewBoxOf(name: string): string {
  if (name.startsWith('cur')) return '0 0 64 64';
  return name.startsWith('game-') || name === 'avatar' ? '0 0 48 48' : '0 0 160 120';
}
