// Lists the methods to choose from: the last one first, those that the device pays in one step, those of the country,
// and the rest behind a fold.
import { type ReactNode, type Ref, useEffect, useId, useRef, useState } from 'react';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Chip } from '#web/ui/Chip.tsx';
import { chooseChannel } from '#web/features/payments/chosen-channel.ts';
import { keyOfChoice, type MethodView } from './method-rules.ts';
import { MethodRow } from './MethodRow.tsx';
import { openSubChannels } from './open-sub-channels.ts';
import { isBalance, type Methods } from './use-methods.ts';
import styles from './methods.module.css';

export type MethodListProps = {
  /** Of the radio group: panel and popup may be on one page. */
  name: string;
  methods: Methods;
  /** Is true when it matters here that a method takes coupons. */
  hasCoupon: boolean;
  /** Not folded where the page has room beside its list. */
  isOpenWide?: boolean;
  /** "Change" was pressed: the others show beside the last one. */
  isUnfolded: boolean;
  onUnfold: () => void;
  /** The chosen method asks for these. */
  fields: ReactNode;
  ref?: Ref<HTMLFieldSetElement> | undefined;
};

export function MethodList(props: MethodListProps) {
  const { name, methods, hasCoupon, isOpenWide, isUnfolded, onUnfold, fields, ref } = props;
  useLanguage();
  const moreId = useId();
  const [isWide] = useState(() => isOpenWide === true && matchMedia('(min-width: 700px)').matches);
  const [isMoreOpen, setMoreOpen] = useState(false);
  const { groups, choice } = methods;
  const { last, express, usual, more } = groups;
  const isFolded = last !== null && choice?.method === last && choice.option !== null && !isUnfolded && !isWide;
  const isChosenMore = more.some((method) => method === choice?.method);
  const isMore = isMoreOpen || isChosenMore;
  const moreRows = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isMoreOpen) return;
    // They open under the edge of a sheet that is full: without this a press changes nothing that is in sight.
    moreRows.current?.scrollIntoView({ block: 'nearest' });
    // The button that was pressed stands behind them now.
    moreRows.current?.querySelector('input')?.focus({ preventScroll: true });
  }, [isMoreOpen]);
  const row = (method: MethodView) => (
    <Row key={method.key} name={name} method={method} methods={methods} hasCoupon={hasCoupon} fields={fields} />
  );
  return (
    <fieldset className={styles.ways} ref={ref} tabIndex={-1}>
      <legend>{t('recharge.choose')}</legend>
      {last && row(last)}
      {isFolded ? (
        <div className={styles.unfold}>
          <Button kind="quiet" aria-expanded={false} onClick={onUnfold}>
            {t('recharge.change')}
            <span className="vh">: {t('order.method')}</span>
          </Button>
        </div>
      ) : (
        <>
          {express.length > 0 && <div className={styles.express}>{express.map(row)}</div>}
          {usual.map(row)}
          {more.length > 0 && (
            <>
              <div className={styles.more} id={moreId} hidden={!isMore} ref={moreRows}>
                {isMore && more.map(row)}
              </div>
              {/* A chosen method among them cannot be folded away. */}
              {!isChosenMore && (
                <Button
                  kind="quiet"
                  aria-expanded={isMore}
                  aria-controls={moreId}
                  onClick={() => setMoreOpen(!isMoreOpen)}
                >
                  {isMore ? t('recharge.fewer_ways') : t('recharge.more_ways', { count: more.length })}
                </Button>
              )}
            </>
          )}
        </>
      )}
    </fieldset>
  );
}

type RowProps = Pick<MethodListProps, 'name' | 'methods' | 'hasCoupon' | 'fields'> & { method: MethodView };

function Row({ name, method, methods, hasCoupon, fields }: RowProps) {
  useLanguage();
  const { choice, groups } = methods;
  const isChosen = choice?.method === method;
  const choose = () => {
    // A method with a second choice is chosen by one of them. @source specification section
    // 2, "secondary payment channel"
    if (method.seconds.length > 0) openSubChannels({ method, chosen: isChosen ? (choice.second?.key ?? '') : '' });
    else chooseChannel(keyOfChoice(method.key));
  };
  return (
    <MethodRow
      name={name}
      value={method.key}
      title={method.name}
      mark={method.mark}
      networks={method.networks}
      isChosen={isChosen}
      isDown={method.route === null}
      note={useNote(method, methods)}
      chip={
        <>
          {method === groups.last && <Chip tone="plain">{t('recharge.last_used')}</Chip>}
          {hasCoupon && method.route && !method.route.open_coupon && (
            <Chip tone="plain">{t('recharge.coupon_no')}</Chip>
          )}
        </>
      }
      onChoose={choose}
    >
      {isChosen && fields}
    </MethodRow>
  );
}

function useNote(method: MethodView, { choice, balance }: Methods): string {
  useLanguage();
  if (!method.route) return t('recharge.method_down');
  const second = choice?.method === method ? choice.second : null;
  if (second) return t('recharge.sub_chosen', { name: second.name });
  if (isBalance(method) && balance) {
    if (balance.shown === '') return t('recharge.balance_none');
    return t(balance.isEnough ? 'recharge.balance_enough' : 'recharge.balance_short', { amount: balance.shown });
  }
  if (method.hint === '' && method.seconds.length > 0) return t('recharge.sub_more', { count: method.seconds.length });
  return method.hint;
}
