// Step 3: the order once more, the ways to pay, and the button that pays.
import { useEffect, useEffectEvent, useState } from 'react';
import { beginCoupon } from '#web/features/coupons/choice.ts';
import { useRefreshGoods } from '#web/features/catalogue/GoodsPart.tsx';
import { changeDraft, EMPTY_DRAFT, loadDraft } from '#web/features/orders/unfinished/order-info.ts';
import { wishToPay } from '#web/features/orders/unfinished/pay-wish.ts';
import { CheckoutFoot, CheckoutMethods } from '#web/features/payments/checkout/CheckoutParts.tsx';
import { useCheckout } from '#web/features/payments/checkout/use-checkout.ts';
import { restoreChannel, useChosenChannel } from '#web/features/payments/chosen-channel.ts';
import { MethodSkeleton } from '#web/features/payments/methods/MethodRow.tsx';
import { ProductBlock, TotalLine } from '#web/features/payments/OrderBlocks.tsx';
import { noteCheckout } from '#web/features/payments/open.ts';
import { type OrderView, PayerLines, SummaryLines } from '#web/features/payments/OrderSummary.tsx';
import type { PayEnd } from '#web/features/payments/paying/pay-order.ts';
import { paths } from '#web/paths.ts';
import { useBrand } from '#web/platform/brand.ts';
import { leaveTo } from '#web/platform/frame.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { whenIdle } from '#web/platform/lazy/later.ts';
import { Link, useNavigate } from '#web/platform/router/Router.tsx';
import { viewPlaced } from '../placed-order.ts';
import { useReductions } from '../order-reductions.tsx';
import { usePurchase } from '../use-purchase.ts';
import { ClassicPage } from './ClassicPage.tsx';
import { handOver } from './placed.ts';
import styles from './classic.module.css';

export function Recharge() {
  useLanguage();
  const { hasStepBar } = useBrand();
  const { checkout } = useRechargeStep();
  const { order } = checkout;
  return (
    <ClassicPage title={t('recharge.title')} isTitleHidden={hasStepBar} foot="pay">
      <div className={styles.recharge}>
        <div className={styles.ways}>
          {order.product ? <CheckoutMethods checkout={checkout} isOpenWide /> : <MethodSkeleton />}
        </div>
        <div className={styles.order}>
          <section className={styles.summary} aria-label={t('order.title')}>
            <div className={styles.bought}>
              <ProductBlock product={order.product} />
              <Link className={styles.change} to={paths.selectGoods}>
                {t('receiver.change')}
                <span className="vh">: {t('order.product')}</span>
              </Link>
            </div>
            <SummaryLines order={order} hasReceiver={false} />
            {/* A link may have opened the shop as somebody else: it is seen before the ways to pay. */}
            <PayerLines order={order} />
            {/* On low screens the foot has room for the button alone. */}
            <div className={styles.low}>
              <TotalLine order={order} />
            </div>
          </section>
          <div className={styles.foot}>
            <CheckoutFoot checkout={checkout} hasPayer={false} />
          </div>
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
  const purchase = usePurchase(wanted, draft.goods?.value ?? '');
  const { user, receiver, target, parts, order } = purchase;
  const reductions = useReductions({ place: purchase.channelPlace, target, goods: parts.goods });
  useEffect(beginCoupon, []);
  const end = async (made: PayEnd, methodName: string, paid: OrderView) => {
    if (made.kind === 'reloadGoods') refresh();
    if (made.kind !== 'order') return;
    const { billingNo, page, isEarlier } = made;
    // Of an order begun earlier only the server knows the time.
    const known = isEarlier ? null : viewPlaced(made, parts, paid, methodName);
    handOver({ billingNo, order: known, begun: page === 'refused' ? 'none' : page });
    changeDraft({ billing_no: billingNo });
    await navigate({ to: paths.result, search: (before) => ({ ...before, billing_no: billingNo }) });
    if (page === 'refused') leaveTo(made.url);
  };
  const checkout = useCheckout({
    order,
    place: purchase.channelPlace,
    target,
    ...reductions,
    onEnd: (...ended) => void end(...ended),
  });
  const { choice } = checkout.methods;
  const chosen = useChosenChannel();
  useEffect(() => restoreChannel(draft.rechargeKey), [draft]);
  useEffect(() => whenIdle(() => void import('./result.tsx').catch(() => undefined)), []);

  const tell = useEffectEvent(() => {
    if (target) noteCheckout(target);
  });
  const isThere = target !== null;
  useEffect(() => {
    if (isThere) tell();
  }, [isThere]);

  const key = choice?.option ? chosen : '';
  const keepWay = useEffectEvent(() => {
    if (!choice?.option) return;
    changeDraft({ rechargeKey: chosen, rechargeInfo: { name: choice.method.name, pay_id: choice.option.pay_id } });
  });
  useEffect(() => {
    if (key !== '') keepWay();
  }, [key]);

  // A character or goods that are gone meanwhile, or nobody logged in any more: one step back, and on again from there.
  const isKnown = !purchase.isLoading && receiver.state !== 'loading' && receiver.state !== 'failed';
  const isLost = isKnown && target === null;
  const goBack = useEffectEvent(() => {
    if (!user) wishToPay();
    void navigate({ to: paths.selectGoods, replace: true });
  });
  useEffect(() => {
    if (isLost) goBack();
  }, [isLost]);

  return { checkout };
}
