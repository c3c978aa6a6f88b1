// A notice of the footer: what the law wants said, item by item, and what is the same for every brand.
import { useQuery } from '@tanstack/react-query';
import { BRAND_TEXTS_PATH, type BrandTexts } from '#contracts/boot.ts';
import { NOTICE_ITEMS, type Notice, type NoticeItem } from '#contracts/notices.ts';
import { AGE_CAPS } from '#kernel/age-caps.ts';
import { toBcp47 } from '#kernel/languages.ts';
import { describeAgeTiers } from '#web/platform/age-tiers.ts';
import { currentLanguage, t, useLanguage } from '#web/platform/i18n.ts';
import type { Legal } from '#web/platform/legal.ts';
import { PopupSheet } from '#web/platform/popups/PopupSheet.tsx';
import { usePopup } from '#web/platform/popups/popups.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import styles from './layout.module.css';

/** @source specification section 9, "Support hours in notices" */
const DEFAULT_HOURS = '10:00-13:00, 14:30-19:00';

export type NoticePopupProps = { notice: Notice; legal: Legal };

export function NoticePopup({ notice, legal }: NoticePopupProps) {
  const language = useLanguage();
  const { close } = usePopup();
  const { data, isError } = useQuery({
    queryKey: ['brandTexts', language],
    queryFn: async ({ signal }) => {
      const answer = await fetch(`${BRAND_TEXTS_PATH}?spec_lang=${language}`, { signal });
      return (await answer.json()) as BrandTexts;
    },
    retry: 1,
  });
  const foot = (
    <Button isWide onClick={close}>
      {t('popup.close')}
    </Button>
  );
  return (
    <PopupSheet title={t(`footer.${notice}`)} foot={foot}>
      {isError && <Note tone="bad">{t('network.failed')}</Note>}
      {!data && !isError && <Skeleton className={styles.noticeBone} />}
      {data && (
        <div className={styles.notice}>
          <Items notice={notice} items={data.noticeItems[notice] ?? []} />
          <Rest notice={notice} legal={legal} />
        </div>
      )}
    </PopupSheet>
  );
}

function Items({ notice, items }: { notice: Notice; items: readonly NoticeItem[] }) {
  return (
    <dl>
      {items.map(({ item, text }) => (
        <div key={item}>
          <dt>{labelOf(notice, item)}</dt>
          <dd>
            <bdi>{text}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** No brand writes these itself: caps, hours, and where to ask. */
function Rest({ notice, legal }: NoticePopupProps) {
  if (notice === 'trade') return null;
  if (notice === 'topup')
    return (
      <>
        <h3>{t('notice.topup_caps')}</h3>
        <ul>
          {describeAgeTiers(japanTiers()).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p>{t('notice.topup_consent')}</p>
      </>
    );
  return (
    <>
      <dl>
        <div>
          <dt>{t('notice.inquiry_hours')}</dt>
          <dd>
            <bdi>{t('notice.daily', { hours: legal.hours || DEFAULT_HOURS })}</bdi>
          </dd>
        </div>
      </dl>
      {legal.support && (
        <p>
          <a href={legal.support} target="_blank" rel="noopener noreferrer">
            {t('footer.support')}
          </a>
        </p>
      )}
      <p>{t('notice.inquiry_ready')}</p>
    </>
  );
}

/** "Seller". The texts of messages/ are keyed by notice and item. */
function labelOf(notice: Notice, item: NoticeItem['item']): string {
  const [trade, topup] = [
    NOTICE_ITEMS.trade.find((one) => one === item),
    NOTICE_ITEMS.topup.find((one) => one === item),
  ];
  if (notice === 'trade' && trade) return t(`notice.trade_${trade}`);
  if (notice === 'topup' && topup) return t(`notice.topup_${topup}`);
  return t('notice.inquiry_contact');
}

const japanTiers = () => AGE_CAPS.japan.tiers.map(({ under, cap_minor: cap }) => ({ under, cap_shown: showYen(cap) }));

/** @source specification section 5: caps are in yen */
function showYen(yen: number): string {
  return new Intl.NumberFormat(toBcp47(currentLanguage()), { style: 'currency', currency: 'JPY' }).format(yen);
}
