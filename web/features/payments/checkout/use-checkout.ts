// The order on its way to be paid: what is still missing, and what a press of the button that pays does. One for
// sheet, panel and classic page.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { tellWay } from '#web/features/payments/chosen-channel.ts';
import { openSubChannels } from '#web/features/payments/methods/open-sub-channels.ts';
import { keyOfChoice } from '#web/features/payments/methods/method-rules.ts';
import { isBalance, type Methods, nameOfChoice, useMethods } from '#web/features/payments/methods/use-methods.ts';
import type { OrderView } from '#web/features/payments/OrderSummary.tsx';
import { type PayEnd, payOrder, type PayTarget } from '#web/features/payments/paying/pay-order.ts';
import type { ChannelPlace } from '#web/features/payments/queries.ts';
import { tenderOf } from '#web/features/payments/rules.ts';
import { isCardFilled, NO_CARD, type TypedCard } from '#web/platform/calls/card-info.ts';
import { CONFIRMATIONS } from '#contracts/confirmations.ts';
import { useConfirmation } from '#web/platform/visitor/confirmation.ts';
import { t } from '#web/platform/i18n.ts';
import { afterPaint } from '#web/platform/lazy/later.ts';
import { save } from '#web/platform/visitor/storage.ts';
import { agreeWithoutCoupon } from './agree-without-coupon.ts';
import { agreeOnCard } from './card-pay.ts';
import { type CheckoutCoupon, type CheckoutPromo, couponOf, promoOf, targetWith, viewWith } from './checkout-coupon.ts';

export type CheckoutInput = {
  order: OrderView;
  place: ChannelPlace;
  /** Null while nobody is logged in or no character is chosen. */
  target: PayTarget | null;
  /** Null where coupons have no place. */
  coupon?: CheckoutCoupon | null;
  /** Null where there are no promo codes. */
  promo?: CheckoutPromo | null;
  /** When an order stands, or the goods must be read again. `paid` is the order at the price that was paid. */
  onEnd: (end: PayEnd, methodName: string, paid: OrderView) => void;
  /** A press while `target` is null. */
  onNeed?: () => void;
  /** After a login that a press led to, because the last one had ended. */
  onLogin?: () => void;
};

/**
 * One of these keeps the button from paying; null when nothing does. @source specification section 5: "disabled until a
 * payment method is chosen"
 */
export type Missing = 'method' | 'second' | 'card' | 'balance' | 'consent' | 'look' | null;

/** The sentence above the button: why the last press did not pay, or that it still waits for its answer. */
export type Said = { tone: 'bad' | 'wait'; text: string };

export function useCheckout(input: CheckoutInput) {
  const { order: full, place, target: goods, coupon = null, promo = null, onEnd, onNeed, onLogin } = input;
  const reduced = promo?.beside ?? coupon?.chosen ?? promo?.alone;
  const methods = useMethods(place, reduced?.price_minor ?? null);
  const queries = useQueryClient();
  const list = useRef<HTMLFieldSetElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [card, setCard] = useState(NO_CARD);
  const [fault, setFault] = useState('');
  const [said, setSaid] = useState<Said | null>(null);
  const [looked, setLooked] = useState('');
  const [isUnfolded, setUnfolded] = useState(false);
  const { choice } = methods;
  const option = choice?.option ?? null;
  const wayName = nameOfChoice(choice);
  const payId = option?.pay_id ?? '';
  useEffect(() => {
    if (payId !== '') tellWay({ name: wayName, pay_id: payId });
  }, [wayName, payId]);
  const tender = tenderOf(option?.pay_path ?? '');
  const route = option ?? choice?.method.route ?? null;
  const used = couponOf(coupon, route, place.currency);
  const usedPromo = promoOf(promo, used, route, place.currency);
  const order = viewWith(full, used, usedPromo);
  const target = targetWith(goods, used, usedPromo);
  // Account and character come first: until they are there the press leads to them.
  const confirmation = useConfirmation(place.region);
  // The agreement is to this order: another product, price, character or region asks anew.
  const orderShown = JSON.stringify([target, place.region]);
  const [agreed, setAgreed] = useState('');
  const hasConsent = agreed === orderShown;
  const setConsent = (isAgreed: boolean) => setAgreed(isAgreed ? orderShown : '');
  const wantsConsent = confirmation !== null && CONFIRMATIONS[confirmation.form].needsConsent && !hasConsent;
  // Nobody pays under a confirmation that was never in view.
  const wantsLook = confirmation !== null && looked !== orderShown;
  const missing = target
    ? (findMissing(methods, card) ?? (wantsConsent ? 'consent' : wantsLook ? 'look' : null))
    : null;

  const changeCard = (typed: TypedCard) => {
    setCard(typed);
    setFault('');
  };
  const pay = async (to: PayTarget) => {
    setBusy(true);
    setSaid(null);
    setFault('');
    if (!used && !usedPromo && coupon && coupon.usable > 0 && !(await agreeWithoutCoupon(full, coupon.chosen !== null)))
      return setBusy(false);
    let cardInfo = '';
    if (tender === 'card' && option) {
      const agreement = await agreeOnCard(card, to, order, option.pay_id);
      if (agreement.kind === 'refused') setFault(agreement.text);
      if (agreement.kind !== 'yes') return setBusy(false);
      cardInfo = agreement.cardInfo;
    }
    const accepted = confirmation ? CONFIRMATIONS[confirmation.form].version : '';
    const onWait = () => setSaid({ tone: 'wait', text: t('error.retrying') });
    const end = await payOrder(to, option, { cardInfo, accepted, onWait, onLogin });
    setBusy(false);
    setSaid(end.kind === 'stay' && end.words !== '' ? { tone: 'bad', text: end.words } : null);
    if (end.kind === 'couponRefused') return coupon?.refuse(to.coupon_code ?? to.offer_code ?? '');
    if (end.kind === 'promoRefused') return promo?.refuse(end.words);
    // Refused: a provider may be away, and the method leads to the next one from now on; or a limit was set elsewhere.
    if (end.kind === 'stay') {
      void queries.invalidateQueries({ queryKey: ['spending'] });
      return void queries.invalidateQueries({ queryKey: ['channels'] });
    }
    if (end.kind === 'order' && choice) {
      save('payMethod', keyOfChoice(choice.method.key, choice.second?.key));
      setCard(NO_CARD);
      setAgreed('');
      void queries.invalidateQueries({ queryKey: ['balances'] });
      void queries.invalidateQueries({ queryKey: ['spending'] });
    }
    coupon?.reload();
    promo?.reload();
    onEnd(end, nameOfChoice(choice), order);
  };
  /** Never mute: without a method it leads to the list, without a character to the choice of one. */
  const press = () => {
    if (missing === 'look') setLooked(orderShown);
    if (missing) pointAt(list.current, missing, methods);
    else if (!target) onNeed?.();
    else void pay(target);
  };
  // A press must not pay a price that is about to change.
  const isPricing = coupon?.isPending === true || promo?.isPending === true;
  const consent = { confirmation, hasConsent, setConsent, orderShown, onSeen: () => setLooked(orderShown) };
  // Whoever was refused has been told: no second warning of the same.
  const priceToCap = target && !said ? { minor: target.price_minor, currency: place.currency } : null;
  return {
    methods,
    list,
    order,
    priceToCap,
    market: { ...(place.region && { domain_area: place.region }), country: place.country },
    coupon,
    promo,
    consent,
    used,
    isBusy,
    isPricing,
    missing,
    tender,
    card,
    changeCard,
    fault,
    said,
    press,
    isUnfolded,
    unfold: () => setUnfolded(true),
    /** From the line above the button: leads to all the ways to pay. */
    changeMethod: () => {
      setUnfolded(true);
      afterPaint(() => pointAt(list.current, 'method', methods));
    },
  };
}

export type Checkout = ReturnType<typeof useCheckout>;

function findMissing({ choice, balance }: Methods, card: TypedCard): Missing {
  if (!choice || choice.method.route === null) return 'method';
  if (!choice.option) return 'second';
  if (isBalance(choice.method) && balance && !balance.isEnough) return 'balance';
  return tenderOf(choice.option.pay_path) === 'card' && !isCardFilled(card) ? 'card' : null;
}

/** Shows where the missing answer is given, and puts the focus there. */
function pointAt(list: HTMLElement | null, missing: Exclude<Missing, null>, { choice }: Methods): void {
  if (missing === 'second' && choice) openSubChannels({ method: choice.method, chosen: '' });
  if (missing === 'consent' || missing === 'look') {
    document.querySelector('[data-confirmation]')?.scrollIntoView({ block: 'nearest' });
    if (missing === 'look') return;
    return document.querySelector<HTMLInputElement>('[data-consent] input')?.focus();
  }
  if (!list || missing === 'second') return;
  const empty = [...list.querySelectorAll<HTMLInputElement>('input:not([type=radio])')].find(
    ({ value }) => value.trim() === '',
  );
  const wanted = empty ?? list.querySelector<HTMLInputElement>('input[type=radio]:not(:disabled)') ?? list;
  list.scrollIntoView({ block: 'nearest' });
  wanted.focus();
  // Drawn anew by the style sheet each time, and by none where motion is unwelcome.
  list.toggleAttribute('data-pointed', true);
  setTimeout(() => list.toggleAttribute('data-pointed', false), 1200);
}
