// Step 3: the order once more, the ways to pay, and the button that pays.
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRefreshGoods } from '#web/features/catalogue/GoodsPart.tsx';
import { changeDraft, EMPTY_DRAFT, loadDraft } from '#web/features/orders/order-info.ts';
import { CardFields } from '#web/features/payments/CardFields.tsx';
import { Channels } from '#web/features/payments/Channels.tsx';
import { chooseChannel } from '#web/features/payments/chosen-channel.ts';
import { ProductBlock } from '#web/features/payments/OrderBlocks.tsx';
import { SummaryLines } from '#web/features/payments/OrderSummary.tsx';
import { RechargeFoot } from '#web/features/payments/RechargeBody.tsx';
import { ChannelSkeleton } from '#web/features/payments/ChannelList.tsx';
import { paths } from '#web/paths.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { whenIdle } from '#web/platform/later.ts';
import { track } from '#web/platform/track.ts';
import { viewPlaced } from '../order-view.ts';
import { usePurchase } from '../use-purchase.ts';
import { ClassicPage } from './ClassicPage.tsx';
import { handOver } from './placed.ts';
import styles from './classic.module.css';
import { useRecharge } from './use-recharge.ts';

const NOTES = { page: 'recharge.opens', card: 'recharge.card_lead', balance: 'recharge.from_balance' } as const;

export function Recharge() {
  useLanguage();
  const { purchase, recharge, isReady, pay } = useRechargeStep();
  const { order, channelPlace } = purchase;
  return (
    <ClassicPage title={t('recharge.title')}>
      <div className={styles.recharge}>
        <section className={styles.summary} aria-label={t('order.title')}>
          <ProductBlock product={order.product} />
          <SummaryLines order={order} />
          <Link className={styles.change} to={paths.selectGoods}>
            {t('receiver.change')}
          </Link>
        </section>
        <div className={styles.ways}>
          {order.product ? <Channels name="way" place={channelPlace} hasCoupon={false} /> : <ChannelSkeleton />}
          {recharge.means === 'card' && (
            <CardFields card={recharge.card} fault={recharge.fault} onChange={recharge.changeCard} />
          )}
          <p className={styles.safe}>{t(NOTES[recharge.means])}</p>
        </div>
        <div className={styles.foot}>
          <RechargeFoot order={order} isBusy={recharge.isBusy} isReady={isReady} onPay={() => void pay()} />
        </div>
      </div>
    </ClassicPage>
  );
}

function useRechargeStep() {
  const navigate = useNavigate();
  const refresh = useRefreshGoods();
  const [draft] = useState(() => loadDraft() ?? EMPTY_DRAFT);
  const wanted = { client_id: draft.clientId, role_id: draft.role?.value, server_id: draft.realServer };
  const purchase = usePurchase(wanted, draft.goods?.value ?? '', draft.country);
  const { user, receiver, target, parts, order } = purchase;
  const recharge = useRecharge(purchase.channelPlace, order);
  const { option } = recharge;
  useEffect(() => chooseChannel(draft.rechargeKey), [draft]);
  useEffect(() => whenIdle(() => void import('./result.tsx').catch(() => undefined)), []);

  const tell = useEffectEvent(() => {
    if (target) track('recharge_open', { product_id: target.product_id, price_minor: target.price_minor });
  });
  const isThere = target !== null;
  useEffect(() => {
    if (isThere) tell();
  }, [isThere]);

  const key = option?.key ?? '';
  const keepWay = useEffectEvent(() => {
    if (option) changeDraft({ rechargeKey: option.key, rechargeInfo: { name: option.name, pay_id: option.pay_id } });
  });
  useEffect(() => {
    if (key !== '') keepWay();
  }, [key]);

  // A character or goods that are gone meanwhile, or nobody logged in any more: one step back, and on again from there.
  const isKnown = !purchase.isLoading && receiver.state !== 'loading' && receiver.state !== 'failed';
  const isLost = isKnown && target === null;
  const goBack = useEffectEvent(() => {
    if (!user) changeDraft({ resume: true });
    void navigate({ to: paths.selectGoods, replace: true });
  });
  useEffect(() => {
    if (isLost) goBack();
  }, [isLost]);

  const pay = async () => {
    if (!target) return;
    const end = await recharge.pay(target);
    if (end.kind === 'reloadGoods') refresh();
    if (end.kind !== 'order') return;
    const { billingNo, page } = end;
    // Of an order begun earlier only the server knows the time.
    const known = page === 'earlier' ? null : viewPlaced(end, parts, order, option?.name ?? '');
    handOver({ billingNo, order: known, begun: page === 'refused' ? 'none' : page });
    changeDraft({ billing_no: end.billingNo });
    await navigate({ to: paths.result, search: (before) => ({ ...before, billing_no: end.billingNo }) });
    if (page === 'refused') location.assign(end.url);
  };
  return { purchase, recharge, isReady: recharge.isReady && target !== null, pay };
}
