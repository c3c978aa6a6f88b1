// The account's own part of My: ways to log in, and where one is logged in.
import styles from './accounts.module.css';
import { LinkedLogins } from './LinkedLogins.tsx';
import { OwnSessions } from './OwnSessions.tsx';
import { clientOfPage } from './page-client.ts';

export function AccountCare() {
  return (
    <div className={styles.care}>
      <LinkedLogins clientId={clientOfPage()} />
      <OwnSessions />
    </div>
  );
}
