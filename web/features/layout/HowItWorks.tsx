// Explains the way from a choice to the goods, in three steps.
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import styles from './invite.module.css';

const STEPS = [
  { icon: 'gem', title: 'how.choose', text: 'how.choose_text' },
  { icon: 'card', title: 'how.pay', text: 'how.pay_text' },
  { icon: 'check', title: 'how.play', text: 'how.play_text' },
] as const;

export function HowItWorks() {
  useLanguage();
  return (
    <>
      <h2 className="voice" id="how">
        {t('how.title')}
      </h2>
      <ol className={styles.steps}>
        {STEPS.map(({ icon, title, text }) => (
          <li key={title}>
            <span className={styles.mark} aria-hidden="true">
              <Icon name={icon} />
            </span>
            <b>{t(title)}</b>
            <span>{t(text)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
