// A bundle as an open box: what is in it, each part with what it costs by itself, and what the whole saves.
import type { BundleOffer } from '#contracts/catalogue.ts';
import { countIn, t, useLanguage } from '#web/platform/i18n.ts';
import { Money } from '#web/ui/figures/Money.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import styles from './bundle-box.module.css';

export function BundleBox({ bundle }: { bundle: BundleOffer }) {
  useLanguage();
  return (
    <span className={styles.box}>
      <span className="vh">{t('goods.inside')}</span>
      <span className={styles.parts}>
        {bundle.parts.map((part) => (
          <span className={styles.part} key={part.name}>
            <span>
              {part.count > 1 && <b dir="ltr">{countIn(part.count)}</b>} <bdi>{part.name}</bdi>
            </span>
            {part.worth_shown && (
              <small>
                <Money text={part.worth_shown} />
              </small>
            )}
          </span>
        ))}
      </span>
      {bundle.worth_shown && (
        <span className={styles.sum}>
          <bdi>
            <MoneyIn
              text={t('goods.inside_worth', { worth: bundle.worth_shown, percent: bundle.off_percent })}
              money={bundle.worth_shown}
            />
          </bdi>
        </span>
      )}
    </span>
  );
}
