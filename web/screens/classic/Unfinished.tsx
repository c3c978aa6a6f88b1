// Offers an order that is not finished yet, to players who are logged in. Its code comes
// when nothing else is waited for.
import { useEffect } from 'react';
import { paths } from '#web/paths.ts';
import { createLater, whenIdle } from '#web/platform/lazy/later.ts';
import { useNavigate } from '#web/platform/router/Router.tsx';
import { useUser } from '#web/platform/visitor/session.ts';

const note = createLater(() => import('#web/features/orders/unfinished/UnfinishedNote.tsx'));

export function Unfinished() {
  const navigate = useNavigate();
  const isLoggedIn = useUser() !== null;
  useEffect(() => (isLoggedIn ? whenIdle(note.warm) : undefined), [isLoggedIn]);
  const part = note.useModule();
  if (!isLoggedIn || !part) return null;
  const show = (billingNo: string) =>
    void navigate({ to: paths.result, search: (before) => ({ ...before, billing_no: billingNo }) });
  return <part.UnfinishedNote onShow={show} />;
}
