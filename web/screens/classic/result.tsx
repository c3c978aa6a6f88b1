// Step 4: what became of the order, asked again until nothing more happens to it by itself.
import { useEffect, useEffectEvent, useState } from 'react';
import type { Goods } from '#contracts/catalogue.ts';
import type { BillingInfo } from '#contracts/orders.ts';
import { useRefreshGoods } from '#web/features/catalogue/GoodsPart.tsx';
import { useGoods } from '#web/features/catalogue/queries.ts';
import {
  changeDraft,
  loadDraft,
  loadOrigin,
  NO_ROLE,
  rememberOrder,
  settleDraft,
} from '#web/features/orders/unfinished/order-info.ts';
import { wishToPay } from '#web/features/orders/unfinished/pay-wish.ts';
import { gameOf } from '#web/features/orders/game-of.ts';
import { leaveToOtherTab, openReceipt } from '#web/features/orders/open.ts';
import { AfterSuccess, ResultActions } from '#web/features/orders/result/ResultActions.tsx';
import { ResultBefore } from '#web/features/orders/result/ResultBefore.tsx';
import { ResultStatus } from '#web/features/orders/result/ResultStatus.tsx';
import { answerForOrder } from '#web/features/orders/unfinished/tabs.ts';
import { useFollowedOrder } from '#web/features/orders/result/use-followed-order.ts';
import { goToPay, payHref } from '#web/features/payments/paying/go-to-pay.ts';
import { paths } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { currentRegion, useCountry } from '#web/platform/region.ts';
import { useNavigate, useSearch } from '#web/platform/router/Router.tsx';
import { useUser } from '#web/platform/visitor/session.ts';
import { Button } from '#web/ui/controls/Button.tsx';
import { Note } from '#web/ui/Note.tsx';
import { VoidState } from '#web/ui/VoidState.tsx';
import { afterSaleOf } from '../offer-after.tsx';
import { ClassicPage } from './ClassicPage.tsx';
import { placedOrder } from './placed.ts';
import styles from './classic.module.css';

export function Result() {
  useLanguage();
  const user = useUser();
  const search = useSearch();
  const [draft] = useState(loadDraft);
  const billingNo = search.billing_no ?? draft?.billing_no ?? '';
  const isStranger = user === null;
  useEffect(() => {
    if (isStranger) openLogin();
  }, [isStranger]);
  if (isStranger) {
    const button = (
      <Button kind="pay" onClick={() => openLogin()}>
        {t('login.submit')}
      </Button>
    );
    return (
      <ClassicPage title={t('result.title')} isTitleHidden isNarrow>
        <VoidState art="st-empty" title={t('my.login_title')} text={t('my.login_text')} action={button} />
      </ClassicPage>
    );
  }
  return (
    <ClassicPage title={t('result.title')} isTitleHidden isNarrow foot="other">
      <div className={styles.result}>
        <OrderResult key={billingNo} billingNo={billingNo} />
      </div>
    </ClassicPage>
  );
}

function OrderResult({ billingNo }: { billingNo: string }) {
  const [placed] = useState(() => placedOrder(billingNo));
  const followed = useFollowedOrder(billingNo, placed?.order ?? null, () => settleDraft(billingNo));
  const { order, isGone, fault, isChecking, check, checkNow, said, waiting } = followed;
  const refresh = useRefreshGoods();
  const ways = useWaysOn();
  const country = useCountry();
  const goods = useGoods({ clientId: order?.client_id ?? '', region: currentRegion() ?? '', country });
  useEffect(() => {
    rememberOrder(billingNo);
    // The purchase may have used up a limit.
    return refresh;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once for the order, whatever is drawn meanwhile
  }, [billingNo]);
  const isPlaced = placed !== null;
  const onReturned = useEffectEvent(() => void check());
  const { show } = ways;
  useEffect(() => {
    const answer = () => answerForOrder(billingNo, onReturned);
    if (isPlaced) answer();
    else void leaveToOtherTab(billingNo, answer).then((isLeft) => !isLeft && answer());
    // Left meanwhile, it comes back with the player.
    return () => answerForOrder(billingNo, () => show(billingNo));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `show` does the same at every drawing
  }, [billingNo, isPlaced]);
  if (!order) {
    const leave = <Button onClick={() => ways.leave()}>{t('result.close')}</Button>;
    return <ResultBefore billingNo={billingNo} isGone={isGone} fault={fault} action={leave} />;
  }
  const afterSale = afterSaleOf({
    place: { clientId: order.client_id, region: currentRegion() ?? '', country },
    goods: goods.data?.list ?? [],
    onTake: (next) => ways.toOffer(order, next),
  });
  const shown = {
    order,
    onClose: () => ways.leave(order),
    openLink: gameOf(readBoot().games, order.client_id)?.open_link ?? '',
    next: null,
    afterSale,
    onReceipt: () => openReceipt({ order, onContinue: () => undefined }),
  };
  return (
    <>
      <ResultStatus order={order} begun={placed?.begun ?? 'back'} waiting={waiting} />
      {fault && <Note tone="wait">{fault}</Note>}
      <AfterSuccess {...shown} />
      <div className={styles.foot}>
        <ResultActions
          {...shown}
          waiting={waiting}
          isChecking={isChecking}
          isCancelling={followed.isCancelling}
          said={said}
          href={payHref(order.url)}
          onToPay={(press) => {
            followed.noteGoing();
            goToPay(press, order.url);
          }}
          onCheck={() => void checkNow()}
          onCancel={followed.cancel}
          onRecharge={() => ways.toRecharge(order)}
          onCharacter={() => ways.toCharacter(order)}
        />
      </div>
    </>
  );
}

/** Returns the ways of a result's buttons, which depend on where the player came from. */
function useWaysOn() {
  const navigate = useNavigate();
  const go = (to: '/recharge' | '/selectGoods' | '/my' | '/selectGame', client_id?: string) =>
    void navigate({ to, search: (before) => ({ ...before, billing_no: undefined, ...(client_id && { client_id }) }) });
  return {
    show: (billing_no: string) => void navigate({ to: paths.result, search: (before) => ({ ...before, billing_no }) }),
    /** Another way to pay, or once more: the draft of this order is still there, or its goods begin a new one. */
    toRecharge: (order: BillingInfo) => {
      const draft = loadDraft();
      const isOwn = loadOrigin() === 'Recharge' && draft?.billing_no === order.billing_no && draft.goods !== null;
      if (isOwn) return go(paths.recharge);
      const goods = { display: order.product_name, value: order.product_id, price: '' };
      const game = { gameName: order.game_name, clientId: order.client_id };
      changeDraft({ ...game, goods, billing_no: order.billing_no });
      wishToPay();
      go(paths.selectGoods, order.client_id);
    },
    /** Step 2 with the same goods, where the character is chosen. */
    toCharacter: (order: BillingInfo) => {
      const goods = { display: order.product_name, value: order.product_id, price: '' };
      const game = { gameName: order.game_name, clientId: order.client_id };
      changeDraft({ ...game, goods, ...NO_ROLE, billing_no: '', payUntil: 0 });
      go(paths.selectGoods, order.client_id);
    },
    /** One press to step 3 with the goods of an offer chosen, the next one pays. */
    toOffer: (order: BillingInfo, { display, value, price }: Goods) => {
      const game = { gameName: order.game_name, clientId: order.client_id };
      changeDraft({ ...game, goods: { display, value, price }, billing_no: '' });
      wishToPay();
      go(paths.selectGoods, order.client_id);
    },
    leave: (order?: BillingInfo) => {
      const isBought = order?.stage === 'delivered' && loadDraft()?.billing_no === order.billing_no;
      if (isBought) changeDraft({ billing_no: '' });
      if (!order) go(paths.selectGame);
      else go(loadOrigin() === 'Recharge' ? paths.selectGoods : paths.my);
    },
  };
}
