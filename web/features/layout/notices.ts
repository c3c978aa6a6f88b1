// The texts behind the notices of the footer.
import { BRAND_TEXTS_PATH, type BrandTexts } from '#contracts/boot.ts';
import { toBcp47 } from '#kernel/languages.ts';
import type { Brand } from '#web/platform/brand.ts';
import { currentLanguage, t } from '#web/platform/i18n.ts';
import type { Legal } from '#web/platform/legal.ts';

/**
 * Monthly caps of minors in whole yen.
 * @source specification section 5, "Japanese notices state monthly top-up caps"
 */
const CAPS = { under16: 5000, under18: 20_000 } as const;

/** @source specification section 9, "Support hours in notices" */
const DEFAULT_HOURS = '10:00-13:00, 14:30-19:00';

/** A notice in the language of the page: the brand's own words, else ours. Null: the brand's own did not come. */
export async function readNotice(
  notice: Brand['notices'][number],
  brand: Brand,
  legal: Legal,
): Promise<{ text: string } | { html: string } | null> {
  if (!brand.ownNotices.includes(notice)) return { text: noticeText(notice, brand, legal) };
  const answer = await fetch(`${BRAND_TEXTS_PATH}?spec_lang=${currentLanguage()}`);
  const { noticeTexts } = (await answer.json()) as BrandTexts;
  const html = noticeTexts[notice];
  return html === undefined ? null : { html };
}

/** The plain text of a notice; line breaks part its paragraphs. */
function noticeText(notice: Brand['notices'][number], { name }: Brand, legal: Legal): string {
  const contact = { name, hours: legal.hours || DEFAULT_HOURS, link: legal.support || legal.terms };
  switch (notice) {
    case 'trade':
      return t('notice.trade', contact);
    case 'topup':
      return t('notice.topup', { under16: showYen(CAPS.under16), under18: showYen(CAPS.under18) });
    case 'inquiry':
      return t('notice.inquiry', contact);
  }
}

/** 20000 -> "20,000" in English, "20.000" in German. */
function showYen(yen: number): string {
  return new Intl.NumberFormat(toBcp47(currentLanguage())).format(yen);
}
