// The tabs on top of goods, events and My, on phones and tablets: topping up, gift cards, My. Only brands that take prepaid cards have them.
import { type ShopPath, paths } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { type MessageId, t, useLanguage } from '#web/platform/i18n.ts';
import { Link, useSearch } from '#web/platform/router/Router.tsx';
import { Icon, type IconName } from '#web/ui/pictures/Icon.tsx';
import { GIFT_TAB } from './entries.ts';
import styles from '../layout.module.css';

/** @source specification section 2: "Top-level tabs: topup, gift, my" */
const TABS = [
  { key: 'topup', to: paths.selectGoods, tab: undefined, label: 'nav.topup', icon: 'gem' },
  { key: 'gift', to: paths.selectGoods, tab: GIFT_TAB, label: 'nav.gift', icon: 'prepaid' },
  { key: 'my', to: paths.my, tab: undefined, label: 'nav.my', icon: 'person' },
] as const satisfies readonly {
  to: ShopPath;
  label: MessageId;
  icon: IconName;
  key: string;
  tab: string | undefined;
}[];

/** Returns true when an address shows the gift tab. */
export function isGiftShown(path: string, tab: string | undefined): boolean {
  return path === paths.selectGoods && tab === GIFT_TAB && hasGiftTab();
}

function hasGiftTab(): boolean {
  return readBoot().cardKinds.length > 0;
}

export function TopTabs({ path }: { path: string }) {
  useLanguage();
  const { tab: shown } = useSearch();
  if (!hasGiftTab() || !(path === paths.activity || TABS.some(({ to }) => to === path))) return null;
  const isHere = ({ to, tab }: (typeof TABS)[number]) => to === path && (to === paths.my || tab === shown);
  return (
    <nav className={styles.topTabs} aria-label={t('nav.tabs')} data-tabs="">
      {TABS.map((one) => (
        <Link
          key={one.key}
          to={one.to}
          search={(search) => ({ ...search, billing_no: undefined, tab: one.tab })}
          aria-current={isHere(one) ? 'page' : undefined}
        >
          <Icon name={one.icon} />
          {t(one.label)}
        </Link>
      ))}
    </nav>
  );
}
