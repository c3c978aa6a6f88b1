// Opens the choice of country and currency, and takes what was chosen; the list's code comes with the first use.
import type { MarketItem } from '#contracts/catalogue.ts';
import { reopen } from '#web/platform/frame.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { closeAllPopups, openPopup } from '#web/platform/popups/popups.tsx';
import { currentRegion, keepRegion, keptArea } from '#web/platform/region.ts';
import { track } from '#web/platform/visitor/track.ts';

const CountryPopup = lazyPart(() => import('./CountryPopup.tsx').then((module) => module.CountryPopup));

export function openCountries(): void {
  openPopup(CountryPopup, { onChoose: chooseMarket });
}

/**
 * Another region starts the page again, for games, links and notices depend on it; another
 * country asks for prices alone.
 */
function chooseMarket({ region, country }: MarketItem): void {
  track('country_choose', { country });
  const isElsewhere = region !== currentRegion();
  // A half-finished payment names the old price.
  closeAllPopups();
  keepRegion(region, country);
  if (!isElsewhere) return;
  const address = new URL(location.href);
  const { domain_area: area } = keptArea(address.searchParams.get('client_id') ?? '');
  if (area) address.searchParams.set('domain_area', area);
  else address.searchParams.delete('domain_area');
  reopen(address);
}
