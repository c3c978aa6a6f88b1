// The checkout's one sentence about the country whose prices and channels it shows.
import { readBoot } from '#web/platform/boot.ts';
import { openCountries } from '#web/platform/country/open.ts';
import { useCountryName } from '#web/platform/country/use-country-name.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import styles from './payments.module.css';

export function CountryLine() {
  useLanguage();
  const name = useCountryName();
  if (!readBoot().hasMarkets || !name) return null;
  return (
    <p className={styles.country}>
      {t('country.prices_for', { country: name })}{' '}
      <button type="button" aria-haspopup="dialog" onClick={openCountries}>
        {t('country.change')}
        <span className="vh">: {t('country.title')}</span>
      </button>
    </p>
  );
}
