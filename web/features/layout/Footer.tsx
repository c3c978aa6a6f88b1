// Legal links, notices, the way to customer service, the copyright line and what Korean law wants said.
import { readBoot } from '#web/platform/boot.ts';
import { useBrand } from '#web/platform/brand.ts';
import { openCountries } from '#web/platform/country/open.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { lazyPart } from '#web/platform/lazy/lazy-part.ts';
import { clientInUse, readLegal } from '#web/platform/legal.ts';
import { openPopup } from '#web/platform/popups/popups.tsx';
import { openReport } from '#web/platform/calls/reactions.ts';
import { currentRegion } from '#web/platform/region.ts';
import { useSearch } from '#web/platform/router/Router.tsx';
import { load } from '#web/platform/visitor/storage.ts';
import { askTracking } from '#web/platform/visitor/track.ts';
import styles from './layout.module.css';

/** Few players read them, so they come when somebody does. */
const NoticePopup = lazyPart(() => import('./NoticePopup.tsx').then((module) => module.NoticePopup));

export function Footer() {
  useLanguage();
  const brand = useBrand();
  const { games, clientId, hasMarkets } = readBoot();
  // Another game is another address: the footer is drawn again then.
  const { client_id: asked } = useSearch();
  const inUse = clientInUse(games, { asked, stored: load('gameInfo'), assumed: clientId });
  const legal = readLegal(brand, games, inUse, currentRegion());
  return (
    <footer className={styles.foot}>
      <nav aria-label={t('footer.label')}>
        <a href={legal.privacy} target="_blank" rel="noopener noreferrer">
          {t('footer.privacy')}
        </a>
        <a href={legal.terms} target="_blank" rel="noopener noreferrer">
          {t('footer.terms')}
        </a>
        {legal.notices.map((notice) => (
          <button
            key={notice}
            type="button"
            aria-haspopup="dialog"
            onClick={() => openPopup(NoticePopup, { notice, legal })}
          >
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
        <button type="button" aria-haspopup="dialog" onClick={() => openReport()}>
          {t('report.title')}
        </button>
        {legal.support && (
          <span className={styles.service}>
            <a href={legal.support} target="_blank" rel="noopener noreferrer">
              {t('footer.support')}
            </a>
            {legal.hours && <bdi dir="ltr">{legal.hours}</bdi>}
          </span>
        )}
      </nav>
      {brand.koreanBusiness && <KoreanBusiness business={brand.koreanBusiness} />}
      <p>
        <bdi>{brand.copyright}</bdi>
      </p>
    </footer>
  );
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
