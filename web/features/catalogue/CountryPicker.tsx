// In which country and currency one pays: prices and channels follow. Nothing where the brand has one only.
import { readBoot } from '#web/platform/boot.ts';
import { openCountries } from '#web/platform/country/open.ts';
import { useCountryName } from '#web/platform/country/use-country-name.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from './goods.module.css';

export function CountryPicker() {
  useLanguage();
  const name = useCountryName();
  if (!readBoot().hasMarkets) return null;
  return (
    <button type="button" className={styles.country} aria-haspopup="dialog" onClick={openCountries}>
      <Icon name="globe" />
      <span className="vh">{t('country.title')}: </span>
      <bdi>{name || t('country.title')}</bdi>
      <Icon name="chevron-down" />
    </button>
  );
}
