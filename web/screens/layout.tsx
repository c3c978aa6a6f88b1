// The frame around every page: header, hero on the landing page, navigation on the three pages that have it.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useGames } from '#web/features/games/queries.ts';
import { useConfigInUse, useGameInUse } from '#web/features/games/use-game.ts';
import { Dock, DockSlotContext } from '#web/features/layout/bars/Dock.tsx';
import { listEntries, titleOf } from '#web/features/layout/bars/entries.ts';
import { Header } from '#web/features/layout/bars/Header.tsx';
import { Hero } from '#web/features/layout/Hero.tsx';
import styles from '#web/features/layout/layout.module.css';
import { isGiftShown, TopTabs } from '#web/features/layout/bars/TopTabs.tsx';
import { OfflineNotice } from '#web/features/layout/bars/OfflineNotice.tsx';
import { findStep } from '#web/features/steps/steps.ts';
import { NAVIGATED, paths } from '#web/paths.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { currentRegion } from '#web/platform/region.ts';
import { usePath, useSearch } from '#web/platform/router/Router.tsx';
import { lookWhoIsAt } from '#web/platform/visitor/session.ts';

/** The hero of the game that the page has open. */
function HeroOfGame() {
  const games = useGames(currentRegion() ?? '');
  const game = useGameInUse();
  const first = games.data?.list.find(({ hero }) => hero);
  return <Hero art={(game ?? first)?.hero ?? null} />;
}

/** A change of the game changes the player where each game has accounts of its own. */
function useWhoIsAtGame(): void {
  const clientId = useGameInUse()?.client_id ?? '';
  const last = useRef(clientId);
  useEffect(() => {
    if (last.current === clientId) return;
    const isFirst = last.current === '';
    last.current = clientId;
    if (!isFirst) void lookWhoIsAt(clientId);
  }, [clientId]);
}

export function Layout({ children }: { children: ReactNode }) {
  useLanguage();
  useWhoIsAtGame();
  const brand = useBrand();
  const path = usePath();
  const config = useConfigInUse();
  const entries = listEntries(config);
  const isNavigated = (NAVIGATED as readonly string[]).includes(path);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const isClassic = brand.version === 'classic';
  const { tab } = useSearch();
  const isGift = isGiftShown(path, tab);
  const shown = isGift ? `${path} gift` : path;
  const title = (isClassic && !isGift && findStep(path)) || titleOf(path, brand.isVip, tab);
  const tabTitle = title ? `${t(title.label)} · ${brand.title}` : brand.title;
  useEffect(() => {
    document.title = tabTitle;
  }, [tabTitle]);
  useEffect(() => {
    // Every page begins at its top.
    if (shown) scrollTo(0, 0);
  }, [shown]);
  return (
    <>
      <a className={styles.skip} href="#main">
        {t('nav.skip')}
      </a>
      <Header path={path} config={config} entries={entries} isNavigated={isNavigated} />
      <OfflineNotice />
      <TopTabs path={path} />
      {path === (isClassic ? paths.selectGame : paths.selectGoods) && !isGift && <HeroOfGame />}
      <DockSlotContext value={slot}>{children}</DockSlotContext>
      {isNavigated && <Dock path={isGift ? '' : path} entries={entries} slotRef={setSlot} />}
    </>
  );
}
