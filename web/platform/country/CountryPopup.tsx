// Every country the brand sells in, with the currency charged there; a long list can be searched.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { catalogueRoutes, type MarketItem } from '#contracts/catalogue.ts';
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { read } from '#web/platform/calls/query.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Field } from '#web/ui/controls/Field.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from './country.module.css';

/** Our choice: more rows than a phone shows at once. */
const SEARCHED_FROM = 9;

export function CountryPopup({ onChoose }: { onChoose: (market: MarketItem) => void }) {
  const language = useLanguage();
  const region = currentRegion() ?? '';
  const country = useCountry();
  const [wanted, setWanted] = useState('');
  const queries = useQueryClient();
  const choose = (market: MarketItem) => {
    onChoose(market);
    // The list of games names the lowest prices, and is asked for by region alone.
    void queries.invalidateQueries({ queryKey: ['games'] });
  };
  const markets = useQuery({
    queryKey: ['markets', region, language],
    queryFn: ({ signal }) => read(catalogueRoutes.markets, region ? { domain_area: region } : {}, signal),
    meta: { isQuiet: true },
  });
  const list = markets.data?.list ?? [];
  const shown = list.filter((market) => fits(market, wanted));
  return (
    <PopupSheet title={t('country.title')}>
      <div className={styles.stack}>
        {list.length >= SEARCHED_FROM && (
          <Field label={t('country.search')} type="search" value={wanted} onChange={setWanted} autoComplete="off" />
        )}
        {markets.isError && (
          <>
            <p role="alert">{tellFault(markets.error)}</p>
            <Button onClick={() => void markets.refetch()}>{t('goods.retry')}</Button>
          </>
        )}
        {markets.isSuccess && shown.length === 0 && <p role="status">{t('country.none')}</p>}
        <ul className={styles.list} aria-busy={markets.isPending || undefined}>
          {shown.map((market) => (
            <li key={`${market.country} ${market.currency}`}>
              <button
                type="button"
                className={styles.row}
                aria-current={market.country === country && market.region === region ? 'true' : undefined}
                onClick={() => choose(market)}
              >
                <bdi>{market.display}</bdi>
                <small>
                  <bdi>{market.currency_shown}</bdi> <bdi dir="ltr">{market.currency}</bdi>
                </small>
                {market.country === country && market.region === region && <Icon name="check" />}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </PopupSheet>
  );
}

/** By name, by code, or by currency; accents and case do not matter. */
function fits({ display, country, currency, currency_shown: money }: MarketItem, wanted: string): boolean {
  const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const word = plain(wanted.trim());
  return [display, country, currency, money].some((text) => plain(text).includes(word));
}
