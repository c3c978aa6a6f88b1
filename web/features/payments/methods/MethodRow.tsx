// One method as a radio with its mark, and what belongs to it right under it.
import { type ReactNode, useEffect, useState } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { notePress } from './last-press.ts';
import styles from './methods.module.css';

export type MethodRowProps = {
  /** Of the radio group: panel and popup may be on one page. */
  name: string;
  value: string;
  title: string;
  /** Address of its picture, empty for none. */
  mark: string;
  networks?: readonly string[];
  isChosen: boolean;
  isDown?: boolean;
  note?: string;
  chip?: ReactNode;
  onChoose: () => void;
  /** The chosen method asks for these: inside its row, so that they are where the player looks. */
  children?: ReactNode;
};

export function MethodRow(props: MethodRowProps) {
  const {
    name,
    value,
    title,
    mark,
    networks = [],
    isChosen,
    isDown = false,
    note = '',
    chip,
    onChoose,
    children,
  } = props;
  return (
    <div className={styles.way} data-chosen={isChosen || undefined}>
      <label className={styles.head}>
        {/* A press on the chosen one counts as well: it opens the second choice again. */}
        <input
          type="radio"
          name={name}
          value={value}
          checked={isChosen}
          disabled={isDown}
          onPointerDown={notePress}
          onChange={onChoose}
          onClick={isChosen ? onChoose : undefined}
        />
        <span className={styles.mark}>{mark && <Mark src={mark} />}</span>
        <span className={styles.name}>
          <bdi>{title}</bdi>
          {networks.length > 0 && (
            <span className={styles.networks} aria-hidden="true">
              {networks.map((src) => (
                <Mark key={src} src={src} />
              ))}
            </span>
          )}
          {chip}
          {note && (
            <small>
              <bdi>{note}</bdi>
            </small>
          )}
        </span>
        <span className={styles.dot} aria-hidden="true" />
      </label>
      {children}
    </div>
  );
}

/** One that did not come leaves no broken picture, and is fetched again once the device is online. */
function Mark({ src }: { src: string }) {
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (!isBroken) return;
    const retry = () => setBroken(false);
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [isBroken]);
  return isBroken ? null : <img src={src} alt="" loading="lazy" onError={() => setBroken(true)} />;
}

/** Three rows while the methods load. @source specification section 9, "Recharge skeleton 3 rows" */
export function MethodSkeleton() {
  useLanguage();
  return (
    <div className={styles.ways} aria-busy="true" aria-label={t('recharge.loading')} role="status">
      {[1, 2, 3].map((row) => (
        <Skeleton className={styles.bone} key={row} />
      ))}
    </div>
  );
}
