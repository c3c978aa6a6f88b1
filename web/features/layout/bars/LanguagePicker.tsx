// Chooses the language of the page. There only where the brand has more than one.
import { isLanguage, type Language, LANGUAGE_NAMES } from '#kernel/languages.ts';
import { switchLanguage, t, useLanguage } from '#web/platform/i18n.ts';
import { showToast } from '#web/platform/toast.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from '../layout.module.css';

export function LanguagePicker({ languages }: { languages: readonly Language[] }) {
  const language = useLanguage();
  // A link may name one that the page's game does not offer.
  const offered = languages.includes(language) ? languages : [language, ...languages];
  if (offered.length < 2) return null;
  const choose = async (value: string) => {
    if (!isLanguage(value)) return;
    if (!(await switchLanguage(value))) showToast(t('network.failed'), 'bad');
  };
  return (
    <label className={styles.pick}>
      <Icon name="globe" />
      <span className="vh">{t('language.choose')}</span>
      <span aria-hidden="true">{shortName(language)}</span>
      <select value={language} onChange={(event) => void choose(event.currentTarget.value)}>
        {offered.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Two letters; Chinese by its script. */
function shortName(language: Language): string {
  if (language === 'zh-cn') return '简';
  if (language === 'zh-tw') return '繁';
  return language.toUpperCase();
}
