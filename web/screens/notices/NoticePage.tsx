// A page that says why something is not here, and every way on from it: a title in the tab, actions, the footer.
import type { ReactNode } from 'react';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { paths } from '#web/paths.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { currentRegion } from '#web/platform/region.ts';
import { Link } from '#web/platform/router/Router.tsx';
import { buttonClass } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import styles from './notices.module.css';
import { usePageTitle } from './page-title.ts';

type NoticePageProps = {
  art: string;
  title: string;
  text: string;
  /** The ways on, the first one first. */
  action: ReactNode;
  /** Below all that. */
  children?: ReactNode;
};

export function NoticePage({ art, title, text, action, children }: NoticePageProps) {
  useLanguage();
  usePageTitle(title);
  return (
    <ShopPage isPlain>
      <VoidState level={1} art={art} title={title} text={text} action={<div className={styles.ways}>{action}</div>} />
      {children}
    </ShopPage>
  );
}

export function HomeLink({ kind }: { kind: 'pay' | 'plain' }) {
  useLanguage();
  return (
    <Link className={buttonClass(kind)} to={paths.home}>
      {t('not_found.home')}
    </Link>
  );
}

/** The customer service of the region; nothing where the brand names none. */
export function SupportLink() {
  useLanguage();
  const { support } = readLegal(useBrand(), [], '', currentRegion());
  if (!support) return null;
  return (
    <a className={buttonClass('pay')} href={support} target="_blank" rel="noopener noreferrer">
      {t('footer.support')}
    </a>
  );
}

/** Returns true when there is a customer service to ask. */
export function useHasSupport(): boolean {
  return readLegal(useBrand(), [], '', currentRegion()).support !== '';
}
