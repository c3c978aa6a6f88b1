// The forced banner: whether the game in use has one to show, and its opening, once a session. Its
// code comes only where it shows.
// @source specification section 2, "Forced banner popup"
import type { PageConfig } from '#contracts/games.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { currentLanguage } from '#web/platform/i18n.ts';
import { isPopupOpen, openPopup } from '#web/platform/popups/popups.tsx';
import { currentRegion } from '#web/platform/region.ts';

const BannerPopup = lazyPart(() => import('./BannerPopup.tsx').then((module) => module.BannerPopup));

const SEEN_KEY = 'refill.banner_seen';

/** Addresses of the pictures for this page's language; none outside Japan, whatever the game was given. */
function bannerPictures({ banner_config }: PageConfig): string[] {
  if (currentRegion() !== 'ja') return [];
  return (banner_config[currentLanguage()] ?? []).map((one) => one.picture_address);
}

/**
 * Shows the banner of a game, if there is one and this session has not seen it; a popup that a player came for is never covered.
 */
export function offerBanner(config: PageConfig): void {
  const pictures = bannerPictures(config);
  if (pictures.length === 0 || isPopupOpen() || isSeen()) return;
  markSeen();
  openPopup(BannerPopup, { pictures });
}

/** The page itself is the session where storage is shut. */
let isSeenHere = false;

function isSeen(): boolean {
  try {
    return sessionStorage.getItem(SEEN_KEY) !== null || isSeenHere;
  } catch {
    return isSeenHere;
  }
}

function markSeen(): void {
  isSeenHere = true;
  try {
    sessionStorage.setItem(SEEN_KEY, '1');
  } catch {
    // Seen by this page, which is all that can be known.
  }
}

/** For tests, which are many sessions of one page. */
export function clearBanner(): void {
  isSeenHere = false;
  sessionStorage.removeItem(SEEN_KEY);
}
