// The purchase history on My: cards newest first, more on demand, the receipt behind each.
import { tellFault } from '#web/platform/calls/fault.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { openReceipt } from '#web/features/orders/open.ts';
import { OrderCard } from './OrderCard.tsx';
import { useHistory } from '#web/features/orders/queries.ts';
import { HelpLine } from './HelpLine.tsx';
import styles from './history.module.css';

export type OrderHistoryProps = {
  /** Leads to the goods. */
  shopLink: React.ReactNode;
  onContinue: (billingNo: string) => void;
};

export function OrderHistory({ shopLink, onContinue }: OrderHistoryProps) {
  useLanguage();
  const history = useHistory(true);
  return (
    <section aria-labelledby="history">
      <h2 className={`voice ${styles.heading}`} id="history">
        {t('my.history')}
      </h2>
      <HistoryList history={history} shopLink={shopLink} onContinue={onContinue} />
    </section>
  );
}

function HistoryList({
  history,
  shopLink,
  onContinue,
}: OrderHistoryProps & { history: ReturnType<typeof useHistory> }) {
  if (history.isError && !history.data) {
    const retry = <Button onClick={() => void history.refetch()}>{t('goods.retry')}</Button>;
    return <VoidState art="st-error" title={t('my.error')} text={tellFault(history.error)} action={retry} />;
  }
  if (!history.data) {
    return (
      <div className={styles.history} role="status" aria-busy="true" aria-label={t('my.loading')}>
        <Skeleton className={styles.bone} />
        <Skeleton className={styles.bone} />
        <Skeleton className={styles.bone} />
      </div>
    );
  }
  const orders = history.data.pages.flatMap((page) => page.list);
  if (orders.length === 0) {
    return <VoidState art="st-empty" title={t('my.empty_title')} text={t('my.tip_no_data')} action={shopLink} />;
  }
  return (
    <div className={styles.stack}>
      <ol className={styles.history}>
        {orders.map((order) => (
          <OrderCard key={order.billing_no} order={order} onOpen={() => openReceipt({ order, onContinue })} />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button isWide isBusy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          {t('my.more')}
        </Button>
      )}
      <HelpLine />
    </div>
  );
}
