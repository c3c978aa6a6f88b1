// The promo code in the order: a line to type one, or the one that is there with what it takes off.
import { type FormEvent, type RefObject, useId, useRef, useState } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { Money } from '#web/ui/figures/Money.tsx';
import { Note } from '#web/ui/Note.tsx';
import { chooseCode } from './code-choice.ts';
import type { OrderPromo } from './use-promo.ts';
import styles from './codes.module.css';

/**
 * The longest code of contracts/codes-file.ts has 24 characters; the rest is room for blanks that were copied with it.
 */
const LONGEST = 32;

export type PromoLineProps = {
  promo: OrderPromo;
  /** The order has a coupon as well, so what the code takes off is told beside it. */
  isBeside: boolean;
  /** The coupon leaves no more to pay than the code would. */
  isCouponBetter: boolean;
};

export function PromoLine({ promo, isBeside, isCouponBetter }: PromoLineProps) {
  useLanguage();
  const [isOpen, setOpen] = useState(false);
  const area = useRef<HTMLDivElement>(null);
  const { choice, fault } = promo;
  if (!promo.isShown) return null;
  if (choice.code === '') {
    return (
      <div className={styles.area} data-promo="" ref={area}>
        {isOpen ? (
          <CodeForm
            onDone={() => {
              setOpen(false);
              focusButton(area);
            }}
          />
        ) : (
          <button type="button" className={styles.add} onClick={() => setOpen(true)}>
            <Icon name="ticket" />
            {t('promo.add')}
          </button>
        )}
      </div>
    );
  }
  const remove = () => {
    chooseCode('');
    focusButton(area);
  };
  const priced = isBeside ? promo.beside : promo.alone;
  const kept = promo.isExclusive && (isCouponBetter ? 'promo.coupon_better' : 'promo.with_coupon');
  const note = isBeside ? kept : choice.isCouponOut && 'promo.coupon_out';
  return (
    <div className={styles.area} data-promo="" ref={area}>
      <div className={styles.line}>
        <Icon name="ticket" />
        <span className={styles.words}>
          <b>{t('promo.title')}</b>
          <span>
            <bdi dir="ltr">{priced?.code ?? choice.code}</bdi>
            {priced?.off_shown === '' && ` · ${t('promo.creator')}`}
          </span>
        </span>
        {priced && priced.off_shown !== '' && (
          <span className={styles.off}>
            <Money text={`−${priced.off_shown}`} />
          </span>
        )}
        <Button isRound kind="quiet" aria-label={t('promo.remove')} onClick={remove}>
          <Icon name="close" />
        </Button>
      </div>
      {fault !== '' && <Note tone="bad">{fault}</Note>}
      {note && fault === '' && <Note>{t(note)}</Note>}
    </div>
  );
}

/** What had the focus is gone: it goes to the button that stands there next, not to the top of the page. */
function focusButton(area: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => area.current?.querySelector('button')?.focus());
}

/** One function for all drawings: a new one each time would take the focus back with every change around it. */
function focusField(input: HTMLInputElement | null): void {
  input?.focus();
}

function CodeForm({ onDone }: { onDone: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '') chooseCode(text);
    onDone();
  };
  return (
    <form className={styles.form} onSubmit={apply}>
      <label htmlFor={id}>{t('promo.title')}</label>
      <input
        id={id}
        dir="ltr"
        value={text}
        maxLength={LONGEST}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
        // Opened by a press on the line: what follows is typing.
        ref={focusField}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit">{t('promo.apply')}</Button>
    </form>
  );
}
