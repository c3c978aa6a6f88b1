// The name of the player, opening a small menu with the way out.
import { useCallback, useEffect, useRef } from 'react';
import type { UserInfo } from '#contracts/accounts.ts';
import { paths } from '#web/paths.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { confirm } from '#web/platform/popups/popups.tsx';
import { Link, usePath } from '#web/platform/router/Router.tsx';
import { logout } from '#web/platform/visitor/session.ts';
import { showToast } from '#web/platform/toast.ts';
import { Icon } from '#web/ui/pictures/Icon.tsx';
import { initialOf } from '#web/ui/figures/initial.ts';
import styles from '../layout.module.css';

export function UserMenu({ user }: { user: UserInfo }) {
  useLanguage();
  const { isVip } = useBrand();
  const menu = useRef<HTMLDetailsElement>(null);
  const close = useCallback(() => menu.current?.removeAttribute('open'), []);
  const path = usePath();
  useEffect(() => {
    // Another page, by the menu's own link.
    if (path) close();
  }, [path, close]);
  useEffect(() => {
    const details = menu.current;
    const closeOnLeave = (event: FocusEvent) => {
      if (!(event.relatedTarget instanceof Node && details?.contains(event.relatedTarget))) close();
    };
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      close();
      details?.querySelector('summary')?.focus();
    };
    // A press beside it, also where buttons do not take the focus (Safari).
    const closeOnPress = (event: PointerEvent) => {
      if (!(event.target instanceof Node && details?.contains(event.target))) close();
    };
    details?.addEventListener('focusout', closeOnLeave);
    details?.addEventListener('keydown', closeOnEscape);
    document.addEventListener('pointerdown', closeOnPress);
    return () => {
      details?.removeEventListener('focusout', closeOnLeave);
      details?.removeEventListener('keydown', closeOnEscape);
      document.removeEventListener('pointerdown', closeOnPress);
    };
  }, [close]);
  return (
    <details className={styles.who} ref={menu}>
      <summary className={styles.whoButton} aria-label={t('user.menu', { name: user.username })}>
        {/* Drawn by the style sheet: what is written on a control must be part of its name (WCAG 2.5.3). */}
        <span className={styles.face} aria-hidden="true" data-letter={initialOf(user.username)} />
        <bdi className={styles.userName}>{user.username}</bdi>
        <Icon name="chevron-down" />
      </summary>
      <div className={styles.menu}>
        <p>
          <bdi>{user.username}</bdi>
        </p>
        {isVip && (
          <Link to={paths.userCenter} search={(search) => ({ ...search, billing_no: undefined })}>
            <Icon name="star" />
            {t('vip.label')}
          </Link>
        )}
        <button
          type="button"
          onClick={() => {
            close();
            void askAndLogout();
          }}
        >
          <Icon name="logout" />
          {t('logout.confirm')}
        </button>
      </div>
    </details>
  );
}

/** @source specification section 4: "Logout asks for confirmation and clears user info" */
async function askAndLogout(): Promise<void> {
  const isSure = await confirm({
    title: t('logout.title'),
    text: t('logout.text'),
    cancel: t('account.cancel'),
    confirm: t('logout.confirm'),
  });
  if (!isSure) return;
  if (!(await logout())) showToast(t('network.failed'), 'bad');
}
