// Takes a code that a game shows on another device. Its link, as a QR carries it, brings the code along.
import { CodeForm } from '#web/features/accounts/login/CodeForm.tsx';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { usePageTitle } from './notices/page-title.ts';

export function EnterCode() {
  useLanguage();
  usePageTitle(t('code.title'));
  return (
    <ShopPage isPlain>
      <CodeForm />
    </ShopPage>
  );
}
