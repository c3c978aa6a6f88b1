// The forced banner: whether this page has one to show, and its opening, once a session. Its
// code comes only where it shows.
// @source specification section 2, "Forced banner popup"
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { readBoot } from '#web/platform/boot.ts';
import { currentLanguage } from '#web/platform/i18n.ts';
import { isPopupOpen, openPopup } from '#web/platform/popups/popups.tsx';
import { currentRegion } from '#web/platform/region.ts';

const BannerPopup = lazyPart(() => import('./BannerPopup.tsx').then((module) => module.BannerPopup));

const SEEN_KEY = 'refill.banner_seen';

/** Addresses of the pictures for this page's language; none outside Japan, whatever the page was given. */
export function bannerPictures(): string[] {
  if (currentRegion() !== 'ja') return [];
  const { pageConfig } = readBoot();
  return (pageConfig?.banner_config[currentLanguage()] ?? []).map((one) => one.picture_address);
}

/**
 * Shows the banner, if there is one and this session has not seen it; a popup that a player came for is never covered.
 */
export function offerBanner(): void {
  const pictures = bannerPictures();
  if (pictures.length === 0 || isPopupOpen() || isSeen()) return;
  markSeen();
  openPopup(BannerPopup, { pictures });
}

/** Where storage is shut the page itself is the session. */
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
export function forgetBanner(): void {
  isSeenHere = false;
  sessionStorage.removeItem(SEEN_KEY);
}
