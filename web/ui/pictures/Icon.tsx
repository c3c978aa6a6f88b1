// A line icon of the sprite that stands in every page (web/art/icons.svg). Decoration only: the word beside it speaks.

export type IconName =
  | 'globe'
  | 'user'
  | 'check'
  | 'close'
  | 'chevron-down'
  | 'chevron-right'
  | 'back'
  | 'gem'
  | 'gift'
  | 'person'
  | 'star'
  | 'crown'
  | 'eye'
  | 'eye-off'
  | 'lock'
  | 'clock'
  | 'alert'
  | 'info'
  | 'help'
  | 'copy'
  | 'external'
  | 'card'
  | 'wallet'
  | 'store'
  | 'bank'
  | 'coin'
  | 'prepaid'
  | 'phone'
  | 'qr'
  | 'ticket'
  | 'search'
  | 'refresh'
  | 'wifi-off'
  | 'menu'
  | 'logout'
  | 'box'
  | 'truck'
  | 'server'
  | 'swap'
  | 'plus'
  | 'minus'
  | 'moon'
  | 'sun'
  | 'shield'
  | 'trash'
  | 'play'
  | 'mail'
  | 'receipt'
  | 'calendar';

/** Icons that point somewhere, and so turn round in right-to-left scripts. */
const POINTING: ReadonlySet<string> = new Set<IconName>(['chevron-right', 'back', 'external', 'logout', 'truck']);

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={POINTING.has(name) ? 'ic flip' : 'ic'} viewBox="0 0 24 24" aria-hidden="true">
      <use href={`#ic-${name}`} />
    </svg>
  );
}
