// Something went wrong that no page of its own explains; `reason` picks the words. @source
// specification section 8, "User messages"
import { paths } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import type { ErrorReason } from '#web/platform/calls/reactions.ts';
import { useNavigate, useSearch } from '#web/platform/router/Router.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { HomeLink, NoticePage } from './NoticePage.tsx';

/** Only these: a text out of the address would let strangers put their words under our name. */
const REASONS = {
  network: 'st-offline',
  query: 'st-error',
  cookies: 'st-error',
} as const satisfies Record<ErrorReason, string>;

function isReason(reason: string | undefined): reason is keyof typeof REASONS {
  return reason !== undefined && Object.hasOwn(REASONS, reason);
}

export function ShowError() {
  useLanguage();
  const { reason: asked } = useSearch();
  const navigate = useNavigate();
  const reason = isReason(asked) ? asked : 'query';
  // The page that did not come asks again when it is shown again.
  const retry = () => (history.length > 1 ? history.back() : void navigate({ to: paths.home }));
  const isNetwork = reason === 'network';
  return (
    <NoticePage
      art={REASONS[reason]}
      title={t(`show_error.${reason}_title`)}
      text={t(`show_error.${reason}_text`)}
      action={
        <>
          {isNetwork && (
            <Button kind="pay" onClick={retry}>
              {t('goods.retry')}
            </Button>
          )}
          <HomeLink kind={isNetwork ? 'plain' : 'pay'} />
        </>
      }
    />
  );
}
