// The entries of the navigation, and the title and icon a page carries in the header.
import type { PageConfig } from '#contracts/games.ts';
import type { Language } from '#kernel/languages.ts';
import { paths } from '#web/paths.ts';
import type { MessageId } from '#web/platform/i18n.ts';
import type { IconName } from '#web/ui/pictures/Icon.tsx';

export type Entry = {
  to: (typeof paths)['selectGoods' | 'my' | 'activity'];
  label: MessageId & `nav.${string}`;
  icon: IconName;
};

const TOPUP = { to: paths.selectGoods, label: 'nav.topup', icon: 'gem' } as const;
const EVENT = { to: paths.activity, label: 'nav.event', icon: 'gift' } as const;
const MY = { to: paths.my, label: 'nav.my', icon: 'person' } as const;

/**
 * Entries of the navigation: events only where the page config of the game has some.
 * @source specification section 2, "Bottom navigation"
 */
export function listEntries(pageConfig: PageConfig | null): readonly Entry[] {
  const hasEvents =
    pageConfig?.cumulative_config.is_has_cumulative === true ||
    pageConfig?.continue_config.is_has_continue === true ||
    pageConfig?.daily_config.is_has_daily === true;
  return hasEvents ? [TOPUP, EVENT, MY] : [TOPUP, MY];
}

/** The user-centre page inside a game: its SDK view, or a view of its app. `asked`: query key spec_lang. */
type InGame = { asked: string | undefined };

/**
 * Languages to choose from: those of the page config that the brand has texts in, in its order;
 * without a config the brand's own. The user centre is the whole brand's, so it offers all of the brand; inside a game
 * that game's, and the one that the game asked for before them.
 * @param place null on any other page
 * @source specification section 3: "language_config or langConfig (comma list)"; section 6: "In-app web view and SDK
 *   view flags change the language list on the user-centre page"
 */
export function listLanguages(
  config: PageConfig | null,
  offered: readonly Language[],
  place: InGame | 'userCenter' | null = null,
): readonly Language[] {
  if (place === 'userCenter') return offered;
  const own = listOfConfig(config, offered);
  const first = offered.find((language) => language === place?.asked);
  return first ? [first, ...own.filter((language) => language !== first)] : own;
}

function listOfConfig(config: PageConfig | null, offered: readonly Language[]): readonly Language[] {
  const named = (config?.language_config || config?.langConfig || '').split(',').map((one) => one.trim());
  const known = named.flatMap((one) => offered.find((language) => language === one) ?? []);
  return known.length > 0 ? known : offered;
}

/** Value of the query key `tab` that shows gift cards in place of the goods. */
export const GIFT_TAB = 'gift';

/** In the navigation of wide screens, which have no tabs of their own. */
export const GIFT = { to: paths.selectGoods, tab: GIFT_TAB, label: 'nav.gift', icon: 'prepaid' } as const;

/** In that row on its own page alone. */
export const VIP = { to: paths.userCenter, label: 'nav.vip', icon: 'star' } as const;

type Title = { label: MessageId & `nav.${string}`; icon: IconName };

/** @source specification section 2, "Header: logo, title and icon per route" */
const TITLES: Record<string, Title> = {
  [paths.selectGoods]: TOPUP,
  [paths.activity]: EVENT,
  [paths.my]: MY,
  [paths.userCenter]: VIP,
};

/** Title and icon of a page, or null where it has none of its own, as the VIP centre of a brand without one. */
export function titleOf(path: string, isVip: boolean, tab?: string): Title | null {
  if (path === paths.selectGoods && tab === GIFT_TAB) return GIFT;
  return path === paths.userCenter && !isVip ? null : (TITLES[path] ?? null);
}
