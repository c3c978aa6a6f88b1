// Every picture there is to take: of which versions, and which lazily loaded parts of the storefront it shows. A screen
// or popup that no picture shows fails e2e/shots-of-all.test.ts.

export type Picture = {
  readonly of: 'new' | 'classic' | 'both';
  /** Components loaded by `lazyPart`. */
  readonly shows: readonly string[];
  /** Not every brand has it. */
  readonly isRare?: true;
};

const both = (...shows: string[]): Picture => ({ of: 'both', shows });
const own = (...shows: string[]): Picture => ({ of: 'new', shows });
const classic = (...shows: string[]): Picture => ({ of: 'classic', shows });
const rare = (...shows: string[]): Picture => ({ of: 'both', shows, isRare: true });

export const PICTURES = {
  '00-consent': rare(),
  '00-banner': rare('BannerPopup'),
  '00-landing': both('SelectGame'),
  '01-login': both('LoginPopup'),
  '01-login-wrong': both('LoginPopup'),
  '01-real-name': rare('RealNamePopup'),
  '01-real-name-verified': rare(),
  '02-characters': both('RolePopup', 'ClassicGoods'),
  '03-chosen': both('ClassicGoods'),
  '04-checkout': both('RechargePopup', 'Recharge'),
  '04-checkout-second': rare('SubChannelPopup'),
  '05-checkout-chosen': both('RechargePopup', 'Recharge'),
  '05-coupons': rare('CouponPopup'),
  '06-pending': both('ResultPopup', 'Result'),
  '06-declined': own(),
  '06-delivering': both(),
  '07-success': both(),
  '07-returned': rare('ReturnedPopup'),
  '07-stranger': own('ReturnedPopup'),
  '07-failed': own(),
  '07-unfinished': own(),
  '08-games': own('GameListPopup'),
  '08-replenish': classic('ErrorReplenish'),
  '09-menu': both(),
  '09-logout': both('ConfirmPopup'),
  '09-country': rare('CountryPopup'),
  '09-notice': rare('NoticePopup'),
  '09-report': both('ReportPopup'),
  '10-my-anonymous': both('My'),
  '10-my': both('My', 'MyData'),
  '10-my-cap': both('CapPopup'),
  '10-my-erase': both('ErasePopup'),
  '10-my-coupons': rare('My'),
  '10-events': rare('ActivityScreen'),
  '10-vip': rare('UserCenter'),
  '10-vip-in-game': rare('UserCenter'),
  '11-receipt': both('ReceiptPopup'),
  '11-password': rare('PasswordPopup'),
  '12-not-found': both(),
  '12-no-game': both('NoGame', 'LostGame'),
  '12-code': both('EnterCode'),
  '12-code-wrong': both('EnterCode'),
  '12-code-asks': both(),
  '12-offline': both(),
  '13-not-area': both('NotArea'),
  '13-real-name': both('CertifiedReal'),
  '14-error-network': both('ShowError'),
  '14-error-query': both('ShowError'),
  '14-error-cookies': both('ShowError'),
  '14-error-replenish': both('ErrorReplenish'),
  '15-gift': rare('GiftScreen'),
  '15-gift-money': rare('GiftScreen'),
  '16-replenish': both('ReplenishGoods'),
  '16-replenish-other': both('ReplenishGoods'),
} as const satisfies Record<string, Picture>;

export type PictureName = keyof typeof PICTURES;
