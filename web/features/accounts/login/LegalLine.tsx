// Links each text that a login accepts. A new window: what was typed into the login stays.
import { readBoot } from '#web/platform/boot.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { readLegal } from '#web/platform/legal.ts';
import { currentRegion } from '#web/platform/region.ts';
import styles from '#web/features/accounts/accounts.module.css';

/** The words of a link stand in the sentence, in the case that its language wants: "<terms>terms of use</terms>". */
const LINK = /<(terms|privacy)>(.*?)<\/\1>/;

/** @param props.clientId the game one logs in for */
export function LegalLine({ clientId }: { clientId: string }) {
  useLanguage();
  const legal = readLegal(useBrand(), readBoot().games, clientId, currentRegion());
  // Words, then name and words of a link, and so on.
  const parts = t('login.legal').split(LINK);
  return (
    <p className={styles.legal}>
      {parts.map((part, at) => {
        if (at % 3 === 1) return null;
        const name = at % 3 === 2 ? parts[at - 1] : undefined;
        if (name !== 'terms' && name !== 'privacy') return part;
        return (
          <a key={name} href={legal[name]} target="_blank" rel="noopener noreferrer">
            {part}
          </a>
        );
      })}
    </p>
  );
}
