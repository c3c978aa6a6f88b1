// One press of the button that pays: window, call, answer. Everything a player must hear is said here.
import { orderRoutes } from '#contracts/orders.ts';
import { payRoutes, type PayInput, type PayResult, type SubPaymentOption } from '#contracts/payments.ts';
import { toBcp47 } from '#kernel/languages.ts';
import { parseQuery, readSearch } from '#web/paths.ts';
import { call, newKey, type Outcome } from '#web/platform/calls/api.ts';
import { currentLanguage, t } from '#web/platform/i18n.ts';
import { change } from '#web/platform/calls/change.ts';
import { react, stepsFor } from '#web/platform/calls/reactions.ts';
import { showToast } from '#web/platform/toast.ts';
import { track } from '#web/platform/visitor/track.ts';
import { trafficSource, visit, visitorId } from '#web/platform/visitor/visitor.ts';
import { currentPlatform } from '#web/platform/device.ts';
import { isSettled } from '#web/platform/calls/settled.ts';
import { readPayAnswer } from './pay-answer.ts';
import { openPayWindow } from './pay-window.ts';
import { type DraftKey, keyOfDraft, tenderOf } from '../rules.ts';

/** The goods, their receiver, and the price. `area_id` only where the game has areas, else empty. */
export type PayTarget = {
  client_id: string;
  server_id: string;
  role_id: string;
  area_id: string;
  product_id: string;
  /** With the coupon, where there is one. */
  price_minor: number;
  coupon_code?: string;
  /** A make-up payment: it is for the account, so the character's keys are empty. */
  replenish_id?: string;
  /** In place of a coupon. */
  offer_code?: string;
  promo_code?: string;
  /** "1": the player is shown the bonus of the first purchase. */
  first_bonus?: string;
  region: string;
  country: string;
};

/**
 * How a press ended: an order stands (`isEarlier`: only the server knows when it was begun), the goods must be read
 * again, coupon or promo code is to go, or the popup stays as it is.
 */
export type PayEnd =
  | { kind: 'order'; billingNo: string; url: string; page: PayPage; isEarlier: boolean }
  | { kind: 'reloadGoods' }
  | { kind: 'couponRefused' }
  /** `words` say why. */
  | { kind: 'promoRefused'; words: string }
  /** `words` say why; empty where more than words follows. */
  | { kind: 'stay'; words: string };

/**
 * The place of the provider's page: in a window, refused by the browser, nowhere (none needed, or closed), or of an
 * order begun earlier, and not opened.
 */
export type PayPage = 'window' | 'refused' | 'none' | 'earlier';

/** Of ways that are paid here. */
const NO_WINDOW: ReturnType<typeof openPayWindow> = { isRefused: false, go: () => false, drop: () => undefined };

/** The pay call needs these of a payment option. */
export type ChosenOption = Pick<SubPaymentOption, 'key' | 'pay_id' | 'channel_id' | 'pay_path'>;

type PayMore = { cardInfo?: string; accepted?: string; onWait?: () => void; onLogin?: (() => void) | undefined };

let lastKey: DraftKey | null = null;

/**
 * Must run inside the press itself, or the browser blocks the window.
 * @param option the chosen way, null when it has vanished meanwhile
 * @param cardInfo number and password of the prepaid card, for the way that takes one
 * @param accepted version of the form that was confirmed beside the button; empty where there is none
 * @param onWait no answer came, and it is tried again
 * @param onLogin after a login that the press led to, before the page starts again
 */
export async function payOrder(
  target: PayTarget,
  option: ChosenOption | null,
  { cardInfo = '', accepted = '', onWait, onLogin }: PayMore = {},
): Promise<PayEnd> {
  const route =
    option && Object.hasOwn(payRoutes, option.pay_path) ? payRoutes[option.pay_path as keyof typeof payRoutes] : null;
  if (!option || !route) {
    // @source specification section 8: "Pay with no channel: fail toast 'payway_id is no exist'"
    return stay(t('recharge.payway_id_is_no_exist'));
  }
  const page = tenderOf(option.pay_path) === 'page' ? openPayWindow() : NO_WINDOW;
  const fields = { product_id: target.product_id, price_minor: target.price_minor, channel: option.key };
  track('pay_press', fields);
  const { region: _region, country: _country, ...draft } = target;
  const { coupon_code = '', promo_code = '' } = target;
  lastKey = keyOfDraft({ ...draft, channelKey: `${option.key}${cardInfo}`, coupon_code, promo_code }, lastKey, newKey);
  const outcome = await change(
    route,
    { ...inputOf(target, option), ...(cardInfo && { card_info: cardInfo }), ...optional('accepted', accepted) },
    { idempotencyKey: lastKey.key, ...(onWait && { onWait }) },
  );
  if (isSettled(outcome)) lastKey = null;
  const answer = readPayAnswer(outcome, location.href);
  if (answer.kind === 'placed' || answer.kind === 'badLink') track('order_placed', fields);
  else track('pay_refused', { product_id: fields.product_id, channel: fields.channel, code: codeOf(outcome) });
  if (answer.kind === 'placed' || answer.kind === 'repeat') {
    const { billingNo, url } = answer;
    const isEarlier = answer.kind === 'repeat';
    // The unpaid order is shown, not opened: the player may prefer another way to pay. Whose last try was declined has
    // pressed to try again.
    const isToOpen = url !== '' && (!isEarlier || (await isDeclined(billingNo)));
    const isWindowOpen = isToOpen && page.go(url);
    if (!isWindowOpen) page.drop();
    const isRefused = page.isRefused && isToOpen;
    const where = isWindowOpen ? 'window' : isRefused ? 'refused' : isEarlier ? 'earlier' : 'none';
    return { kind: 'order', billingNo, url, page: where, isEarlier };
  }
  page.drop();
  switch (answer.kind) {
    case 'badLink':
      showToast(t('recharge.link_invalid'), 'bad');
      return { kind: 'order', billingNo: answer.billingNo, url: '', page: 'none', isEarlier: false };
    case 'priceChanged':
      showToast(t('recharge.price_changed'), 'bad');
      return { kind: 'reloadGoods' };
    case 'noChannel':
      return stay(t('recharge.payway_id_is_no_exist'));
    case 'badParameters':
      return stay(t('recharge.bad_parameters'));
    case 'illegalCoupon':
      // No toast: the order's coupon line says it. The server has logged the coupon.
      // @source specification section 8: "-3062 on pay: no toast"
      return { kind: 'couponRefused' };
    case 'promoRefused':
      // The line of the code says it, in the server's words.
      return { kind: 'promoRefused', words: outcome.kind === 'code' ? outcome.msg : '' };
    case 'closed':
      // The goods say when it opens again.
      react(outcome);
      return { kind: 'reloadGoods' };
    case 'refused':
      react(outcome, onLogin);
      return { kind: 'stay', words: wordsOf(outcome) };
  }
}

/** Told by a toast, and by whoever shows the button that was pressed. @source specification L193, L195 */
function stay(words: string): PayEnd {
  showToast(words, 'bad');
  return { kind: 'stay', words };
}

/** The table of reactions shows these words by a toast. */
function wordsOf(outcome: Outcome<PayResult>): string {
  if (outcome.kind === 'network') return t('network.failed');
  if (outcome.kind === 'ok') return '';
  // A list of the orders that block this one says it better than words.
  const hasList = (outcome.content?.open_orders ?? []).length > 0;
  const isSaid = stepsFor(outcome.name).some((step) => step.do === 'toast' || (step.do === 'showUnpaid' && !hasList));
  return isSaid ? outcome.msg : '';
}

/** Resolves to true when the last try to pay an order was declined. Unknown is no. */
async function isDeclined(billingNo: string): Promise<boolean> {
  const outcome = await call(orderRoutes.getOrderInfo, { billing_no: billingNo, simple: '1' }, { timeoutMs: 3000 });
  return outcome.kind === 'ok' && outcome.content.is_declined;
}

/**
 * `game_channel_id`: the store that the game came from, "web" where its link names none. `session_id` and
 * `session_time`: the visit, and when that began in epoch milliseconds. Why: decision 26.
 * @source specification section 7, "Pay payload"
 */
function inputOf(target: PayTarget, option: ChosenOption): PayInput {
  const { area_id, region, country, ...fields } = target;
  const { game_channel_id, utm_pay } = readSearch(parseQuery(location.search));
  const { id, startedAt } = visit();
  return {
    ...fields,
    platform: currentPlatform(),
    bcp47_lang: toBcp47(currentLanguage()),
    pay_id: option.pay_id,
    channel_id: option.channel_id,
    ...(region && { domain_area: region }),
    ...(country && { country }),
    ...(area_id && { areaId: area_id }),
    game_channel_id: (game_channel_id ?? 'web').slice(0, 32),
    did: visitorId(),
    session_id: id,
    session_time: String(startedAt),
    ...optional('traffic_source', trafficSource()),
    ...optional('utm_pay', (utm_pay ?? '').slice(0, 64)),
  };
}

function codeOf(outcome: Outcome<unknown>): number {
  return outcome.kind === 'code' ? outcome.code : 0;
}

function optional<Name extends string>(name: Name, value: string): Partial<Record<Name, string>> {
  return value === '' ? {} : ({ [name]: value } as Partial<Record<Name, string>>);
}
