// Explains the way from a choice to the goods, in three steps.
import { listIn } from '#kernel/languages.ts';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { currentRegion, useCountry, useTaxIncluded } from '#web/platform/region.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from './invite.module.css';

export function HowItWorks() {
  useLanguage();
  const isTaxIncluded = useTaxIncluded();
  const steps = [
    { icon: 'gem', title: t('how.choose'), text: t(isTaxIncluded ? 'how.choose_text' : 'how.choose_plain') },
    { icon: 'card', title: t('how.pay'), text: useWays() },
    { icon: 'check', title: t('how.play'), text: t('how.play_text') },
  ] as const;
  return (
    <>
      <h2 className="voice" id="how">
        {t('how.title')}
      </h2>
      <ol className={styles.steps}>
        {steps.map(({ icon, title, text }) => (
          <li key={title}>
            <span className={styles.mark} aria-hidden="true">
              <Icon name={icon} />
            </span>
            <b>{title}</b>
            {text && <span>{text}</span>}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Methods that are there: those of the place and language that the document came for, else no word about them. */
function useWays(): string {
  const language = useLanguage();
  const country = useCountry();
  const boot = readBoot();
  const isHere = boot.country === country && boot.region === currentRegion() && boot.language === language;
  if (!isHere || boot.ways.names.length === 0) return '';
  const ways = listIn(language, boot.ways.names);
  return boot.ways.isMore ? t('how.pay_more', { ways }) : ways;
}
