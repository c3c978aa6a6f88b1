// A make-up payment whose link does not work: what to do about it. @source specification section 8, "User messages"
import { t, useLanguage } from '#web/platform/i18n.ts';
import { HomeLink, NoticePage, SupportLink, useHasSupport } from './NoticePage.tsx';

export function ErrorReplenish() {
  useLanguage();
  const hasSupport = useHasSupport();
  return (
    <NoticePage
      art="st-error"
      title={t('error_params.title')}
      text={t('error_params.text')}
      action={
        <>
          <SupportLink />
          <HomeLink kind={hasSupport ? 'plain' : 'pay'} />
        </>
      }
    />
  );
}
