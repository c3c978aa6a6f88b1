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
  const remove = () => {
    setOpen(false);
    chooseCode('');
    focusButton(area);
  };
  // A code that does not work is no code of this order: it stays in its field, to be mended.
  if (choice.code === '' || fault !== '') {
    return (
      <div className={styles.area} data-promo="" ref={area}>
        {isOpen || fault !== '' ? (
          <CodeForm
            key={choice.code}
            code={choice.code}
            fault={fault}
            isTyped={isOpen}
            onDone={(hasCode) => {
              setOpen(hasCode);
              focusButton(area);
            }}
            onRemove={remove}
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
  const priced = isBeside ? promo.beside : promo.alone;
  const kept = promo.isExclusive && (isCouponBetter ? 'promo.coupon_better' : 'promo.with_coupon');
  const note = isBeside ? kept : choice.isCouponOut && 'promo.coupon_out';
  return (
    <div className={styles.area} data-promo="" ref={area}>
      <div className={styles.line} data-priced={priced ? '' : undefined}>
        <Icon name="ticket" />
        <span className={styles.words}>
          <b>{t('promo.title')}</b>
          <span>
            <bdi dir="ltr">{priced?.code ?? choice.code}</bdi>
            {priced?.off_shown === '' && <i>{` · ${t('promo.creator')}`}</i>}
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
      {note && <Note>{t(note)}</Note>}
    </div>
  );
}

/** The focused element is gone: the focus goes to the button that stands there next, not to the top of the page. */
function focusButton(area: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => area.current?.querySelector('button')?.focus());
}

/** One function for all drawings: a new one each time would take the focus back with every change around it. */
function focusField(input: HTMLInputElement | null): void {
  input?.focus();
}

type CodeFormProps = {
  /** The one that was refused; empty for a new one. */
  code: string;
  /** In words; empty when nothing is wrong. */
  fault: string;
  /** Opened by the player, and not by an address: the focus goes into the field. */
  isTyped: boolean;
  onDone: (hasCode: boolean) => void;
  onRemove: () => void;
};

function CodeForm({ code, fault, isTyped, onDone, onRemove }: CodeFormProps) {
  const id = useId();
  const [text, setText] = useState(code);
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' || code !== '') chooseCode(text);
    onDone(text.trim() !== '');
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
        aria-invalid={fault !== '' || undefined}
        aria-describedby={fault === '' ? undefined : `${id}-fault`}
        // Opened by a press on the line: what follows is typing.
        ref={isTyped ? focusField : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit">{t('promo.apply')}</Button>
      {fault !== '' && (
        <div className={styles.fault} id={`${id}-fault`}>
          <Note tone="bad">{fault}</Note>
          <Button isRound kind="quiet" aria-label={t('promo.remove')} onClick={onRemove}>
            <Icon name="close" />
          </Button>
        </div>
      )}
    </form>
  );
}
