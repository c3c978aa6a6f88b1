// Something went wrong that no page of its own explains; `reason` picks the words. @source
// specification section 8, "User messages"
import { ShopPage } from '#web/features/layout/ShopPage.tsx';
import { paths } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import type { ErrorReason } from '#web/platform/calls/reactions.ts';
import { Link, useSearch } from '#web/platform/router/Router.tsx';
import { buttonClass } from '#web/ui/controls/Button.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';

/** Only these: a text out of the address would let strangers put their words under our name. */
const REASONS = {
  network: 'st-offline',
  query: 'st-error',
  expired: 'st-expired',
  cookies: 'st-error',
} as const satisfies Record<ErrorReason, string>;

function isReason(reason: string | undefined): reason is keyof typeof REASONS {
  return reason !== undefined && Object.hasOwn(REASONS, reason);
}

export function ShowError() {
  useLanguage();
  const { reason: asked } = useSearch();
  const reason = isReason(asked) ? asked : 'query';
  return (
    <ShopPage isPlain hasFooter={false}>
      <VoidState
        level={1}
        art={REASONS[reason]}
        title={t(`show_error.${reason}_title`)}
        text={t(`show_error.${reason}_text`)}
        action={
          <Link className={buttonClass('pay')} to={paths.home}>
            {t('not_found.home')}
          </Link>
        }
      />
    </ShopPage>
  );
}
