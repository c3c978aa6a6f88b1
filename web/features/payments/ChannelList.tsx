// The ways to pay as one group of radios, by region where there is more than one.
import type { PaymentOption, SubPaymentOption } from '#contracts/payments.ts';
import { toBcp47 } from '#kernel/languages.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Chip } from '#web/ui/Chip.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { type ChannelRegion, nameOfCountry } from './rules.ts';
import styles from './payments.module.css';

export type ChannelListProps = {
  /** Of the radio group: bar, panel and popup may be on one page. */
  name: string;
  regions: readonly ChannelRegion[];
  /** Key of the chosen option or of one of its sub-options. */
  chosen: string;
  /** Whether it matters here if a channel takes coupons. */
  hasCoupon: boolean;
  onChoose: (option: PaymentOption) => void;
};

export function ChannelList({ name, regions, chosen, hasCoupon, onChoose }: ChannelListProps) {
  useLanguage();
  return (
    <fieldset className={styles.ways}>
      <legend>{t('recharge.choose')}</legend>
      {regions.map((region) => (
        <RegionRows key={region.code} code={region.code} isTitled={regions.length > 1}>
          {region.channels.map((option) => {
            const sub = option.sub_payment.find((one) => one.key === chosen) ?? null;
            return (
              <ChannelRow
                key={option.key}
                name={name}
                option={option}
                isChosen={option.key === chosen || sub !== null}
                note={noteOf(option, sub)}
                hasCoupon={hasCoupon}
                onChoose={() => onChoose(option)}
              />
            );
          })}
        </RegionRows>
      ))}
    </fieldset>
  );
}

function noteOf(option: PaymentOption, sub: SubPaymentOption | null): string {
  if (sub) return t('recharge.sub_chosen', { name: sub.name });
  if (option.sub_payment.length > 0) return t('recharge.sub_more', { count: option.sub_payment.length });
  return option.hint;
}

function RegionRows({ code, isTitled, children }: { code: string; isTitled: boolean; children: React.ReactNode }) {
  const language = useLanguage();
  if (!isTitled) return children;
  const name = nameOfCountry(code, toBcp47(language));
  return (
    <>
      <p className={styles.region}>{name}</p>
      {children}
    </>
  );
}

export type ChannelRowProps = {
  name: string;
  option: SubPaymentOption;
  isChosen: boolean;
  note: string;
  hasCoupon: boolean;
  onChoose: () => void;
};

export function ChannelRow({ name, option, isChosen, note, hasCoupon, onChoose }: ChannelRowProps) {
  return (
    <label className={styles.way}>
      {/* A press on the chosen one counts as well: it opens the choice of sub-channels again. */}
      <input
        type="radio"
        name={name}
        value={option.key}
        checked={isChosen}
        onChange={onChoose}
        onClick={isChosen ? onChoose : undefined}
      />
      <span className={styles.mark}>
        <img src={option.icon} alt="" loading="lazy" />
      </span>
      <span className={styles.wayName}>
        {option.name}
        {hasCoupon && (
          <Chip tone={option.open_coupon ? 'soft' : 'plain'}>
            {t(option.open_coupon ? 'recharge.coupon_ok' : 'recharge.coupon_no')}
          </Chip>
        )}
        {note && <small>{note}</small>}
      </span>
      <span className={styles.dot} aria-hidden="true" />
    </label>
  );
}

/** Three rows while the channels load. @source specification section 9, "Recharge skeleton 3 rows" */
export function ChannelSkeleton() {
  useLanguage();
  return (
    <div className={styles.ways} aria-busy="true" aria-label={t('recharge.loading')} role="status">
      {[1, 2, 3].map((row) => (
        <Skeleton className={styles.bone} key={row} />
      ))}
    </div>
  );
}
