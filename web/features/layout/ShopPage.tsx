// The room of a page under the header: one column, or two with the order beside the goods on wide
// screens; the footer below both.
import type { ReactNode } from 'react';
import { Footer } from './Footer.tsx';
import styles from './layout.module.css';

export type ShopPageProps = {
  children: ReactNode;
  /** Beside the page on wide screens, not shown on others: the dock has the order there. */
  side?: ReactNode;
  /** With its own room above: pages without the hero. */
  isPlain?: boolean;
  /** Legal links under the page; on the three pages with navigation only. */
  hasFooter?: boolean;
  /** Something at its end stays in view: nothing else may lie there. */
  hasFoot?: boolean;
};

export function ShopPage({ children, side, isPlain = false, hasFooter = true, hasFoot = false }: ShopPageProps) {
  const room = [styles.page, isPlain && styles.plain, side && styles.two].filter(Boolean).join(' ');
  return (
    <div className={room} data-foot={hasFoot ? 'page' : undefined}>
      <main className={styles.main} id="main" tabIndex={-1}>
        {children}
      </main>
      {side && <aside className={styles.side}>{side}</aside>}
      {hasFooter && <Footer />}
    </div>
  );
}
