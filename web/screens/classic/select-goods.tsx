// Step 2: who receives it, and what. Everything chosen is kept in the draft at once, so that a reload
// or a step back loses nothing.
import { useEffect, useRef, useState } from 'react';
import type { Goods } from '#contracts/catalogue.ts';
import { ClosedOffer } from '#web/features/catalogue/offers/ClosedOffer.tsx';
import { useCouponMarks } from '#web/features/coupons/marks.tsx';
import { GoodsPart } from '#web/features/catalogue/GoodsPart.tsx';
import { refOf } from '#web/features/games/use-receiver.ts';
import { DockSlot } from '#web/features/layout/bars/Dock.tsx';
import { gameOf } from '#web/features/orders/game-of.ts';
import { changeDraft, type Draft, EMPTY_DRAFT, loadDraft } from '#web/features/orders/unfinished/order-info.ts';
import { dropWish, keepWish, wishToPay } from '#web/features/orders/unfinished/pay-wish.ts';
import { OfferRow } from '#web/features/offers/OfferRow.tsx';
import { chooseChannel } from '#web/features/payments/chosen-channel.ts';
import { OrderBar, ProductBlock } from '#web/features/payments/ChosenOrder.tsx';
import { TotalLine } from '#web/features/payments/OrderBlocks.tsx';
import { flyToOrder } from '#web/features/payments/fly.ts';
import { OrderPanel } from '#web/features/payments/OrderPanel.tsx';
import { PayerLines } from '#web/features/payments/OrderSummary.tsx';
import { paths } from '#web/paths.ts';
import { readBoot } from '#web/platform/boot.ts';
import { useBrand } from '#web/platform/brand.ts';
import { t, useLanguage } from '#web/platform/i18n.ts';
import { createLater, whenIdle } from '#web/platform/lazy/later.ts';
import { openLogin } from '#web/platform/visitor/login.ts';
import { useNavigate, useSearch } from '#web/platform/router/Router.tsx';
import { Button } from '#web/ui/controls/Button.tsx';
import { MoneyIn } from '#web/ui/figures/MoneyIn.tsx';
import { usePricedOrder } from '../order-reductions.tsx';
import { usePayWish } from '../use-pay-wish.ts';
import { draftOf, usePurchase } from '../use-purchase.ts';
import { ClassicPage, Unfinished } from './ClassicPage.tsx';
import { type Chosen, RolePart } from './RolePart.tsx';
import styles from './classic.module.css';

export function ClassicGoods() {
  useLanguage();
  const { hasStepBar } = useBrand();
  const step = useGoodsStep();
  const { purchase, product, next, form } = step;
  const { channelPlace: place, target, parts, closed } = purchase;
  const marks = useCouponMarks(gameOf(readBoot().games, purchase.place.clientId)?.gp_id ?? '', purchase.place);
  const order = usePricedOrder(purchase.order, { place, target, goods: parts.goods });
  const instead = closed && <ClosedOffer {...closed} onSelect={step.select} />;
  // Not mute: the button says what it waits for, and a press leads there.
  const missing = step.isRoleMissing ? `${t('receiver.choose')} · ${order.price}` : undefined;
  const panel = order.product && {
    product: <ProductBlock product={order.product} />,
    payment: (
      <>
        <PayerLines order={order} />
        <TotalLine order={order} />
        <Button kind="pay" isWide aria-disabled={missing !== undefined || undefined} onClick={next}>
          <MoneyIn text={missing ?? t('recharge.pay', { price: order.price })} money={order.price} />
        </Button>
      </>
    ),
  };
  const side = <OrderPanel order={order} chosen={panel ?? (instead && { product: instead, payment: null })} />;
  return (
    <ClassicPage title={t('steps.select_goods')} isTitleHidden={hasStepBar} side={side} hasFooter>
      <div className={styles.stack}>
        <Unfinished />
        <RolePart
          receiver={purchase.receiver}
          first={step.first}
          headingRef={form}
          isAsked={step.isRoleAsked}
          onChoose={step.chooseRole}
          onOtherGame={step.toGames}
        />
        <Before purchase={purchase} onPay={step.payAgain} />
        <OfferRow offers={purchase.offers} goods={purchase.goodsList} onTake={step.takeOffer} />
      </div>
      <GoodsPart
        place={purchase.place}
        role={purchase.parts.role && refOf(purchase.parts.role)}
        deals={purchase.deals}
        marks={marks}
        onFly={flyToOrder}
        selected={product}
        onSelect={step.select}
      />
      <DockSlot>{instead ?? <OrderBar order={order} place={place} onPay={next} missing={missing} />}</DockSlot>
    </ClassicPage>
  );
}

const again = createLater(() => import('#web/features/catalogue/again/Again.tsx'));

type BeforeProps = { purchase: ReturnType<typeof usePurchase>; onPay: (goods: Goods, method: string) => void };

/** Offers the player's last purchase again. */
function Before({ purchase, onPay }: BeforeProps) {
  const { user, place, parts, goodsList } = purchase;
  const before = user && place.clientId === readBoot().clientId ? readBoot().returning : null;
  const hasBefore = before !== null;
  useEffect(() => {
    if (hasBefore) again.warm();
  }, [hasBefore]);
  const part = again.useModule();
  if (!before || !part) return null;
  return (
    <part.Again
      before={before}
      clientId={place.clientId}
      role={parts.role && refOf(parts.role)}
      goods={goodsList}
      onPay={(goods) => onPay(goods, before.channel_key)}
    />
  );
}

function useGoodsStep() {
  const navigate = useNavigate();
  const search = useSearch();
  const [stored] = useState(() => loadDraft() ?? EMPTY_DRAFT);
  const clientId = search.client_id ?? stored.clientId;
  // A draft for another game stays with that game.
  const [draft] = useState(stored.clientId === clientId ? stored : EMPTY_DRAFT);
  const [product, setProduct] = useState(draft.goods?.value ?? '');
  const [chosen, setChosen] = useState<Chosen>({ area: draft.area, server: draft.server });
  const purchase = usePurchase({ ...search, client_id: clientId }, product);
  const { user, receiver, parts, place } = purchase;
  const { goods } = parts;
  const form = useRef<HTMLHeadingElement>(null);
  useEffect(() => whenIdle(() => void import('./recharge.tsx').catch(() => undefined)), []);

  // Waits for the lists: what they do not name is no choice any more. Who is not logged in may have chosen
  // somebody, and may come back.
  const isKnown = receiver.state !== 'loading' && receiver.state !== 'failed' && !purchase.isLoading;
  const { role, server, area, realServer, ...own } = draftOf(parts, place.region);
  const chosenRole = role ? { area: chosen.area, server: chosen.server ?? server } : { area, server };
  const kept = isKnown ? JSON.stringify({ ...own, ...(user && { role, realServer, ...chosenRole }) }) : '';
  useEffect(() => {
    if (kept !== '') changeDraft(JSON.parse(kept) as Partial<Draft>);
  }, [kept]);

  const payWish = usePayWish({
    state: receiver.state,
    isReady: goods !== null,
    isClosed: purchase.closed !== null,
    onGo: () => void navigate({ to: paths.recharge, search: (before) => ({ ...before, billing_no: undefined }) }),
    onAsk: () => pointAt(form.current),
  });
  const next = () => {
    if (!goods) return;
    if (!user) return openLogin(() => keepWish());
    if (receiver.state === 'failed') receiver.retry();
    payWish.press();
  };
  const isRoleMissing = ['choose', 'notFound', 'none'].includes(receiver.state);

  return {
    purchase,
    product,
    form,
    next,
    isRoleMissing,
    isRoleAsked: isRoleMissing && payWish.isWished,
    first: {
      area: search.area_id ?? draft.area?.value ?? '',
      server: search.server_id ?? draft.server?.value ?? '',
    },
    select: (one: { value: string }) => {
      // Pay was pressed for something else.
      dropWish();
      setProduct(one.value);
    },
    chooseRole: (one: Parameters<typeof receiver.choose>[0], from: Chosen) => {
      receiver.choose(one);
      setChosen(from);
      // The address named somebody else; a reload must not bring them back.
      const keys = { area_id: undefined, server_id: undefined, role_id: undefined };
      void navigate({ to: '.', search: (before) => ({ ...before, ...keys }), replace: true });
    },
    /** Two taps to the provider: this one leads to step 3 with everything chosen, the next one pays. */
    payAgain: (one: Goods, method: string) => {
      chooseChannel(method);
      changeDraft({ rechargeKey: method });
      setProduct(one.value);
      wishToPay();
    },
    takeOffer: (one: Goods) => {
      setProduct(one.value);
      wishToPay();
    },
    toGames: () => void navigate({ to: paths.selectGame }),
  };
}

/** Shows where the character is chosen, and puts the focus there. */
function pointAt(heading: HTMLElement | null): void {
  const part = heading?.parentElement;
  const wanted = part?.querySelector<HTMLElement>('input') ?? heading;
  wanted?.focus();
  // Drawn anew by the style sheet each time.
  part?.toggleAttribute('data-pointed', true);
  setTimeout(() => part?.toggleAttribute('data-pointed', false), 1200);
}
