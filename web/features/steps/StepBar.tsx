// Shows the player's step on the way to the goods, and the way back to the steps that are done. The server draws the
// same first (server/shell/classic-picture.ts).
import { stepOf } from '#contracts/documents.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Link } from '#web/platform/router/Router.tsx';
import { STEPS } from './steps.ts';
import styles from './steps.module.css';

/** @source specification section 2: "Step bar of four steps" */
export function StepBar({ path }: { path: string }) {
  useLanguage();
  const now = stepOf(path);
  return (
    <nav className={styles.bar} aria-label={t('steps.label')}>
      <ol className={styles.steps}>
        {STEPS.map((step, index) => {
          const number = index + 1;
          if (number < now) {
            return (
              <li key={step.path} data-done="">
                <Link to={step.path} search={(before) => ({ ...before, billing_no: undefined })}>
                  {t(step.label)}
                  <span className="vh"> {t('steps.done')}</span>
                </Link>
              </li>
            );
          }
          return (
            <li key={step.path} aria-current={number === now ? 'step' : undefined}>
              <span>{t(step.label)}</span>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
