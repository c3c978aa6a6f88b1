// The room of one step: the step bar, a heading that gets the focus on arrival, and the page under it.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { StepBar } from '#web/features/steps/StepBar.tsx';
import { useBrand } from '#web/platform/brand.ts';
import { usePath } from '#web/platform/router/Router.tsx';
import styles from './classic.module.css';

// In one file with what every step needs: one request less for the first page.
export { Unfinished } from './Unfinished.tsx';

export type ClassicPageProps = {
  title: string;
  /** Beside the page on wide screens. */
  side?: ReactNode;
  isTitleHidden?: boolean;
  /** Above the heading. */
  before?: ReactNode;
  /** The hero above has the first heading of the page. */
  hasHero?: boolean;
  /** One narrow column, for lists and results. */
  isNarrow?: boolean;
  hasFooter?: boolean;
  /** The page ends with a foot that stays in view: the one that pays, or another. */
  foot?: 'pay' | 'other';
  children: ReactNode;
};

/**
 * The step that was seen last: whoever comes from another one is taken to the new heading, a fresh
 * page leaves the focus alone.
 */
let lastPath = '';

export function ClassicPage(props: ClassicPageProps) {
  const { title, side, isTitleHidden, before, hasHero = false, isNarrow, hasFooter = false, foot, children } = props;
  const Heading = hasHero ? 'h2' : 'h1';
  const { hasStepBar } = useBrand();
  const here = usePath();
  // The router tells the next address before its page is there.
  const [path] = useState(here);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (lastPath !== '' && lastPath !== path) heading.current?.focus({ preventScroll: true });
    lastPath = path;
  }, [path]);
  return (
    <>
      {hasStepBar && <StepBar path={path} />}
      <div className={isNarrow ? styles.narrow : styles.room} data-foot={foot}>
        <ShopPage isPlain side={side} hasFooter={hasFooter}>
          {before}
          <Heading className={isTitleHidden ? 'vh' : `voice ${styles.title}`} tabIndex={-1} ref={heading}>
            {title}
          </Heading>
          {children}
        </ShopPage>
      </div>
    </>
  );
}
