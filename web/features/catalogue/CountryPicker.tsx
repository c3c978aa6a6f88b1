// In which country one pays: prices and channels follow. A native select, hidden where the region has one country only.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Icon } from '#web/ui/Icon.tsx';
import styles from './goods.module.css';

export type CountryPickerProps = {
  countries: readonly { display: string; value: string }[];
  country: string;
  onChange: (country: string) => void;
};

export function CountryPicker({ countries, country, onChange }: CountryPickerProps) {
  useLanguage();
  if (countries.length < 2) return null;
  return (
    <label className={styles.country}>
      <Icon name="globe" />
      <span className="vh">{t('goods.country')}</span>
      <span aria-hidden="true">{countries.find((one) => one.value === country)?.display ?? t('goods.country')}</span>
      <Icon name="chevron-down" />
      <select value={country} onChange={(event) => onChange(event.currentTarget.value)}>
        {countries.map((one) => (
          <option key={one.value} value={one.value}>
            {one.display}
          </option>
        ))}
      </select>
    </label>
  );
}
