// The account's own part of My: ways to log in, where one is logged in, and the password.
import styles from '#web/features/accounts/accounts.module.css';
import { LinkedLogins } from './LinkedLogins.tsx';
import { OwnSessions } from './OwnSessions.tsx';
import { clientOfPage } from '#web/platform/visitor/page-client.ts';
import { PasswordPart } from './PasswordPart.tsx';

export function AccountCare() {
  const clientId = clientOfPage();
  return (
    <div className={styles.care}>
      <LinkedLogins clientId={clientId} />
      <OwnSessions />
      {/* At the end: whether there is one is known with the answer, and nothing below has to make room. */}
      <PasswordPart clientId={clientId} />
    </div>
  );
}
