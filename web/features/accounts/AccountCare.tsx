// The account's own part of My: ways to log in, and where one is logged in.
import styles from './accounts.module.css';
import { LinkedLogins } from './LinkedLogins.tsx';
import { clientOfPage } from './login.ts';
import { OwnSessions } from './OwnSessions.tsx';

export function AccountCare() {
  return (
    <div className={styles.care}>
      <LinkedLogins clientId={clientOfPage()} />
      <OwnSessions />
    </div>
  );
}
