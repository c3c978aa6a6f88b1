// On My: the password, where the shop keeps it. Whoever comes by another company or with a game's
// account has none here to change.
import { isFramed } from '#web/platform/frame.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { AccountRow, AccountSection } from './AccountSection.tsx';
import { useLinkedLogins, useRefreshAccount } from '#web/features/accounts/queries.ts';

const PasswordPopup = lazyPart(() => import('./PasswordPopup.tsx').then((module) => module.PasswordPopup));

export function PasswordPart({ clientId }: { clientId: string }) {
  useLanguage();
  const user = useUser();
  const { data, refetch } = useLinkedLogins(clientId);
  const refresh = useRefreshAccount();
  if (!user || !data?.canChangePassword || isFramed()) return null;
  return (
    <AccountSection title={t('login.password')} text={t('password.text')} state="there" onRetry={() => void refetch()}>
      <AccountRow mark={<Icon name="lock" />} title={<bdi>{user.username}</bdi>} text={t('login.by_account')}>
        <Button
          aria-label={t('password.title')}
          aria-haspopup="dialog"
          onClick={() => openPopup(PasswordPopup, { username: user.username, onDone: refresh })}
        >
          {t('password.change')}
        </Button>
      </AccountRow>
    </AccountSection>
  );
}
