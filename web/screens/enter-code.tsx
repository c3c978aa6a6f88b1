// Where a code that a game shows on another device is typed. Its link, as a QR carries it, brings the code along.
import { CodeForm } from '#web/features/accounts/login/CodeForm.tsx';
import { ShopPage } from '#web/features/layout/ShopPage.tsx';

export function EnterCode() {
  return (
    <ShopPage isPlain hasFooter={false}>
      <CodeForm />
    </ShopPage>
  );
}
