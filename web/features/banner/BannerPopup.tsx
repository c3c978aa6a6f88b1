// The carousel of the forced banner: swiped, stepped by arrow keys or dots, closed like any popup.
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { track } from '#web/platform/visitor/track.ts';
import styles from './banner.module.css';

export function BannerPopup({ pictures }: { pictures: readonly string[] }) {
  useLanguage();
  const list = useRef<HTMLUListElement>(null);
  const [shown, setShown] = useState(0);
  const seen = useRef(1);
  const count = pictures.length;
  useEffect(() => {
    track('banner_show', { pictures: count });
    return () => track('banner_close', { pictures: count, seen: seen.current });
  }, [count]);

  const arrive = (index: number) => {
    setShown(index);
    seen.current = Math.max(seen.current, index + 1);
  };
  const go = (index: number) => {
    const next = Math.min(count - 1, Math.max(0, index));
    const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
    list.current?.children[next]?.scrollIntoView({ behavior, block: 'nearest', inline: 'start' });
    arrive(next);
  };
  const step = (event: KeyboardEvent) => {
    const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const back = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    if (event.key !== forward && event.key !== back) return;
    event.preventDefault();
    go(shown + (event.key === forward ? 1 : -1));
  };
  const onScroll = () => {
    const { scrollLeft = 0, clientWidth = 0 } = list.current ?? {};
    // In right-to-left pages the way is counted down from zero.
    if (clientWidth > 0) arrive(Math.round(Math.abs(scrollLeft) / clientWidth));
  };
  return (
    <PopupSheet title={t('banner.title')}>
      <section aria-roledescription="carousel" aria-label={t('banner.title')}>
        {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys step what they scroll */}
        <ul
          ref={list}
          className={styles.pictures}
          // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
          tabIndex={0}
          onKeyDown={step}
          onScroll={onScroll}
        >
          {pictures.map((address, index) => (
            <li key={address}>
              <img
                src={address}
                alt={t('banner.picture', { n: index + 1, count })}
                width={800}
                height={600}
                loading={index === 0 ? 'eager' : 'lazy'}
              />
            </li>
          ))}
        </ul>
        {count > 1 && (
          <div className={styles.dots}>
            {pictures.map((address, index) => (
              <button
                key={address}
                type="button"
                aria-label={t('banner.picture', { n: index + 1, count })}
                aria-current={index === shown}
                onClick={() => go(index)}
              />
            ))}
          </div>
        )}
      </section>
    </PopupSheet>
  );
}
