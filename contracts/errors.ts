// The one list of answer codes. The server turns an outcome into an envelope with it; the client reacts by it.
// `texts` names the message key (messages/en.json) that becomes `msg` in the player's language.

/**
 * Codes named by the specification keep its numbers; the rest are ours, below -1000 so that they never meet.
 * `http` is the status the envelope travels with: 200 for every outcome of the business, others for
 * the transport's own refusals.
 * @source specification section 8, "Response codes"; section 4, "Order result codes"
 */
export const CODES = {
  success: { code: 1, http: 200, text: 'error.none' },
  repeatOrder: { code: 10, http: 200, text: 'error.repeat_order' },
  notLoggedIn: { code: -600, http: 200, text: 'error.not_logged_in' },
  noGame: { code: -3001, http: 200, text: 'error.no_game' },
  wrongDomain: { code: -3014, http: 200, text: 'error.wrong_domain' },
  notRealName: { code: 6001, http: 200, text: 'error.not_real_name' },
  replenishError: { code: -3016, http: 200, text: 'error.replenish' },
  illegalCoupon: { code: -3062, http: 200, text: 'error.illegal_coupon' },
  noActivity: { code: -3022, http: 200, text: 'error.no_activity' },

  badRequest: { code: -1001, http: 400, text: 'error.bad_request' },
  wrongCredentials: { code: -1002, http: 200, text: 'error.wrong_credentials' },
  tooManyAttempts: { code: -1003, http: 429, text: 'error.too_many_attempts' },
  notFound: { code: -1004, http: 404, text: 'error.not_found' },
  orderNotFound: { code: -1005, http: 200, text: 'error.order_not_found' },
  roleNotFound: { code: -1006, http: 200, text: 'error.role_not_found' },
  productNotFound: { code: -1007, http: 200, text: 'error.product_not_found' },
  channelNotFound: { code: -1008, http: 200, text: 'error.channel_not_found' },
  invalidLink: { code: -1009, http: 200, text: 'error.invalid_link' },
  limitReached: { code: -1010, http: 200, text: 'error.limit_reached' },
  soldOut: { code: -1011, http: 200, text: 'error.sold_out' },
  providerUnavailable: { code: -1012, http: 200, text: 'error.provider_unavailable' },
  gameUnavailable: { code: -1013, http: 200, text: 'error.game_unavailable' },
  tooManyOrders: { code: -1014, http: 200, text: 'error.too_many_orders' },
  forbidden: { code: -1015, http: 403, text: 'error.forbidden' },
  methodNotAllowed: { code: -1016, http: 405, text: 'error.bad_request' },
  requestRunning: { code: -1017, http: 409, text: 'error.request_running' },
  keyReused: { code: -1018, http: 422, text: 'error.bad_request' },
  badIdempotencyKey: { code: -1069, http: 400, text: 'error.bad_idempotency_key' },
  tooLarge: { code: -1019, http: 413, text: 'error.bad_request' },
  priceChanged: { code: -1020, http: 200, text: 'error.price_changed' },
  openOrderOtherPrice: { code: -1021, http: 200, text: 'error.open_order_other_price' },
  // Another order has the bonus of the first purchase since the page showed it.
  bonusGone: { code: -1022, http: 200, text: 'error.bonus_gone' },
  // Its payment may still come, and the provider cannot close it.
  orderStillPayable: { code: -1024, http: 200, text: 'error.order_still_payable' },
  // The text says why: promo.<reason>, one of PROMO_REASONS.
  promoRefused: { code: -1023, http: 200, text: 'promo.unknown' },
  loginFailed: { code: -1041, http: 200, text: 'error.login_failed' },
  noGameAccount: { code: -1042, http: 200, text: 'error.no_game_account' },
  identityTaken: { code: -1043, http: 200, text: 'error.identity_taken' },
  lastLogin: { code: -1044, http: 200, text: 'error.last_login' },
  loginAgain: { code: -1045, http: 200, text: 'error.login_again' },
  // The user id in the game was made of it.
  foundingLogin: { code: -1047, http: 200, text: 'error.founding_login' },
  weakPassword: { code: -1046, http: 200, text: 'error.weak_password' },
  receiveFailed: { code: -1030, http: 200, text: 'error.receive_failed' },
  cardRefused: { code: -1031, http: 200, text: 'error.card_refused' },
  cardNotEnough: { code: -1032, http: 200, text: 'error.card_not_enough' },
  // The game said no before money was asked for; the message tells why where the reason is one of the contract's.
  goodsDeclined: { code: -1034, http: 200, text: 'error.goods_declined' },
  // The game could not be asked: no order stays open, and nothing was charged.
  gameUnreachable: { code: -1035, http: 200, text: 'error.game_unreachable' },
  // Of a whole network, lately: the card itself was not looked at.
  tooManyCardAttempts: { code: -1036, http: 429, text: 'error.too_many_card_attempts' },
  // A make-up payment is paid by the account that it names alone.
  otherAccount: { code: -1037, http: 200, text: 'error.other_account' },
  balanceTooLow: { code: -1033, http: 200, text: 'error.balance_too_low' },
  // The service that checks real names could not be asked.
  realNameFailed: { code: -1060, http: 200, text: 'error.real_name_failed' },
  ageUnknown: { code: -1061, http: 200, text: 'error.age_unknown' },
  ageCapReached: { code: -1062, http: 200, text: 'error.age_cap_reached' },
  ownCapReached: { code: -1063, http: 200, text: 'error.own_cap_reached' },
  capOtherCurrency: { code: -1064, http: 200, text: 'error.cap_other_currency' },
  spendingPaused: { code: -1065, http: 200, text: 'error.spending_paused' },
  // Pages of a change that is not applied: nothing can be bought, logged in or written.
  previewOnly: { code: -1067, http: 200, text: 'error.preview_only' },
  // Erasing an account is refused for a reason; the text says which.
  cannotErase: { code: -1068, http: 200, text: 'privacy.because_review' },
  confirmationNeeded: { code: -1066, http: 200, text: 'error.confirmation_needed' },
  unavailable: { code: -1503, http: 503, text: 'error.unavailable' },
  failed: { code: -1500, http: 500, text: 'error.unavailable' },
} as const;

export type CodeName = keyof typeof CODES;

/** The browser sees only these three states of an order. @source specification section 4, "Order result codes" */
export const BILLING_STATUS = { success: 1, pending: -1, fail: -2 } as const;

const byNumber = new Map<number, CodeName>((Object.keys(CODES) as CodeName[]).map((name) => [CODES[name].code, name]));

/** The name of a code that came over the wire, or null for one this version does not know. */
export function nameOfCode(code: number): CodeName | null {
  return byNumber.get(code) ?? null;
}
