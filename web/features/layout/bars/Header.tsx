// The bar at the top: brand, the page's title, navigation on wide screens, language, and who is logged in.
import type { PageConfig } from '#contracts/games.ts';
import { landings, paths } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { Link, useSearch } from '#web/platform/router/Router.tsx';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { BrandMark } from './BrandMark.tsx';
import { type Entry, GIFT, listLanguages, titleOf, VIP } from './entries.ts';
import { LanguagePicker } from './LanguagePicker.tsx';
import { NewMark } from './NewMark.tsx';
import styles from '../layout.module.css';
import { BetaBar } from './BetaBar.tsx';
import { UserMenu } from './UserMenu.tsx';

type HeaderProps = {
  path: string;
  /** Of the game in use. */
  config: PageConfig | null;
  entries: readonly Entry[];
  /** A page to read, which the header leaves room for. */
  isNavigated: boolean;
};

/** A name in the row of wide screens. */
type Named = (Entry | typeof VIP) & { tab?: string };

export function Header({ path, config, entries, isNavigated }: HeaderProps) {
  useLanguage();
  const brand = useBrand();
  const user = useUser();
  const { visit, spec_lang: asked, tab } = useSearch();
  const title = titleOf(path, brand.isVip, tab);
  const [first, ...rest] = entries;
  const hasGift = first && readBoot().cardKinds.length > 0;
  const main = hasGift ? [first, GIFT, ...rest] : entries;
  const named: readonly Named[] = path === VIP.to ? [...main, VIP] : main;
  const isInGame = visit === 'sdk' || readBoot().isInApp;
  const place = path !== paths.userCenter ? null : isInGame ? { asked } : 'userCenter';
  return (
    <header
      className={readBoot().isBeta ? `${styles.top} ${styles.beta}` : styles.top}
      data-bar={isNavigated ? '' : undefined}
    >
      <div className={styles.topIn}>
        <Link className={styles.brand} to={landings[brand.version]} search={leaveResult}>
          <BrandMark />
          <span className={styles.names}>
            <span className={`voice ${styles.name}`}>{brand.name}</span>
            {title && (
              <span className={styles.where}>
                <Icon name={title.icon} />
                {t(title.label)}
              </span>
            )}
          </span>
        </Link>
        {title && (
          <nav className={styles.topNav} aria-label={t('nav.label')}>
            {named.map((entry) => (
              <Link
                key={entry.label}
                to={entry.to}
                search={(search) => ({ ...search, billing_no: undefined, tab: entry.tab })}
                aria-current={entry.to === path && tab === entry.tab ? 'page' : undefined}
              >
                <Icon name={entry.icon} />
                <span>{t(entry.label)}</span>
                <NewMark to={entry.to} />
              </Link>
            ))}
          </nav>
        )}
        <div className={styles.topEnd}>
          <LanguagePicker languages={listLanguages(config, brand.languages, place)} />
          {user ? <UserMenu user={user} /> : <Button onClick={() => openLogin()}>{t('login.submit')}</Button>}
        </div>
      </div>
      <BetaBar />
    </header>
  );
}

/** A result belongs to the page it was shown on: going elsewhere drops its number from the address. */
function leaveResult<Search extends { billing_no?: string | undefined; tab?: string | undefined }>(
  search: Search,
): Search {
  return { ...search, billing_no: undefined, tab: undefined };
}
