// Legal links, the Japanese notices, the copyright line and what Korean law wants said.
import { readBoot } from '#web/platform/boot.ts';
import { type Brand, useBrand } from '#web/platform/brand.ts';
import { openCountries } from '#web/platform/country/open.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { showTip } from '#web/platform/popups.tsx';
import { openReport } from '#web/platform/reactions.ts';
import { showToast } from '#web/platform/toast.ts';
import { askTracking } from '#web/platform/track.ts';
import styles from './layout.module.css';

export function Footer() {
  useLanguage();
  const brand = useBrand();
  const { games, clientId, hasMarkets } = readBoot();
  const game = games.find((one) => one.client_id === clientId);
  return (
    <footer className={styles.foot}>
      <nav aria-label={t('footer.label')}>
        <a href={game?.privacy_link || brand.links.privacy} target="_blank" rel="noopener noreferrer">
          {t('footer.privacy')}
        </a>
        <a href={game?.terms_link || brand.links.terms} target="_blank" rel="noopener noreferrer">
          {t('footer.terms')}
        </a>
        {brand.notices.map((notice) => (
          <button key={notice} type="button" aria-haspopup="dialog" onClick={() => void showNotice(notice, brand)}>
            {t(`footer.${notice}`)}
          </button>
        ))}
        {hasMarkets && (
          <button type="button" aria-haspopup="dialog" onClick={openCountries}>
            {t('country.title')}
          </button>
        )}
        {brand.tracking && brand.needsTrackingConsent && (
          <button type="button" onClick={askTracking}>
            {t('footer.tracking')}
          </button>
        )}
        <button type="button" aria-haspopup="dialog" onClick={openReport}>
          {t('report.title')}
        </button>
        {brand.links.support && (
          <a href={brand.links.support} target="_blank" rel="noopener noreferrer">
            {t('footer.support')}
          </a>
        )}
      </nav>
      {brand.koreanBusiness && <KoreanBusiness business={brand.koreanBusiness} />}
      <p>{brand.copyright}</p>
    </footer>
  );
}

/** Few players read them, so their words come when somebody does. */
async function showNotice(notice: Brand['notices'][number], brand: Brand): Promise<void> {
  const words = await import('./notices.ts').catch(() => null);
  if (!words) showToast(t('network.failed'), 'bad');
  else showTip({ title: t(`footer.${notice}`), text: words.noticeText(notice, brand), close: t('popup.close') });
}

/** @source specification section 2: "with Korean business information for the Korean brand" */
function KoreanBusiness({ business }: { business: NonNullable<ReturnType<typeof useBrand>['koreanBusiness']> }) {
  const lines = [
    [t('business.company'), business.company],
    [t('business.representative'), business.representative],
    [t('business.registration'), business.registration],
    [t('business.mail_order'), business.mailOrder],
    [t('business.address'), business.address],
    [t('business.phone'), business.phone],
    [t('business.email'), business.email],
  ];
  return (
    <dl className={styles.business}>
      {lines.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
