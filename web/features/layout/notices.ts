// The texts behind the Japanese links of the footer.
import { toBcp47 } from '#kernel/languages.ts';
import type { Brand } from '#web/platform/brand.ts';
import { currentLanguage, t } from '#web/platform/i18n.ts';

/**
 * Monthly caps of minors in whole yen.
 * @source specification section 5, "Japanese notices state monthly top-up caps"
 */
const CAPS = { under16: 5000, under18: 20_000 } as const;

/** @source specification section 9, "Support hours in notices" */
const DEFAULT_HOURS = '10:00-13:00, 14:30-19:00';

/** The plain text of a notice in the language of the page; line breaks part its paragraphs. */
export function noticeText(notice: Brand['notices'][number], brand: Brand): string {
  const hours = brand.supportHours || DEFAULT_HOURS;
  switch (notice) {
    case 'trade':
      return t('notice.trade', { name: brand.name, hours, link: brand.links.support ?? brand.links.terms });
    case 'topup':
      return t('notice.topup', { under16: showYen(CAPS.under16), under18: showYen(CAPS.under18) });
    case 'inquiry':
      return t('notice.inquiry', { name: brand.name, hours, link: brand.links.support ?? brand.links.terms });
  }
}

/** 20000 -> "20,000" in English, "20.000" in German. */
function showYen(yen: number): string {
  return new Intl.NumberFormat(toBcp47(currentLanguage())).format(yen);
}
