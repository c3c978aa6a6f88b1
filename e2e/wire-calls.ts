// Every call that the specification names in section 7, with the fields that its section 3 promises of the answer.
// Written down from the specification alone: a path or a field that the contracts lose is missed by wire.test.ts.

export type WireCall = {
  /** Line of the specification. */
  readonly line: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly input: Readonly<Record<string, string | number>>;
  /** Answers -600 without a session. */
  readonly needsPlayer: boolean;
  /** Dotted paths into `content`; 0 is the first of a list. */
  readonly fields: readonly string[];
  /** The expected code where success needs something that no call can bring here. */
  readonly code?: number;
};

/** Earlier calls made these: an order, a make-up payment, a claimable coupon, a running event. */
export type Made = {
  readonly role: { readonly server_id: string; readonly role_id: string };
  readonly billingNo: string;
  readonly replenishId: string;
  readonly coupon: string;
  readonly cardInfo: string;
  readonly event: { readonly activity_id: string; readonly gift_id: string };
};

const GAME = '70021';
/** The game whose events run. */
const EVENTS_OF = '70013';
const game = { client_id: GAME };
const area = { domain_area: 'universal' };

const read = (
  line: string,
  path: string,
  input: WireCall['input'],
  fields: readonly string[],
  over: Partial<WireCall> = {},
): WireCall => ({ line, method: 'GET', path, input, needsPlayer: false, fields, ...over });
const player = { needsPlayer: true };

/** The key of a list is `list` where the wording of the specification leaves it open. */
export function dataCalls(made: Made): WireCall[] {
  const { role, replenishId } = made;
  return [
    read('L142 L66', '/api/pay/getGameListV2', { ...game, ...area, platform: 'web' }, [
      'list.0.client_id', 'list.0.gp_id', 'list.0.name', 'list.0.logo', 'list.0.is_select_game', 'list.0.sub_game',
      'list.0.terms_link', 'list.0.privacy_link',
    ]),
    read('L143', '/api/replenishment/getGameList', { replenish_id: replenishId }, ['list.0.client_id', 'list.0.name']),
    read('L144', '/api/config/game_logo', game, ['icon']),
    read('L145 L78', '/api/config/recharge', { ...game, ...area }, [
      'is_open_coupon', 'language_config', 'langConfig', 'area_config.is_area_role', 'brand_color',
      'cumulative_config.is_has_cumulative', 'continue_config.is_has_continue', 'banner_config',
    ]),
    read('L146', '/api/pay/getServerList', game, ['servers.0.display', 'servers.0.value']),
    read('L147', '/api/pay/getRoleList', { ...game, server_id: role.server_id }, ['list.0.display', 'list.0.value'], player),
    read('L148', '/api/system/allRoleList', game, ['list.0.display', 'list.0.value'], player),
    read(
      'L149 L67',
      '/api/pay/getLimitProductInfo',
      { ...game, ...role, area_id: '' },
      [
        'list.0.product_id', 'list.0.limit_type', 'list.0.frequency', 'list.0.day_info', 'list.0.extra_pay_times',
        'list.0.next_pay_time',
      ],
      player,
    ),
    read('L150', '/api/pay/getThirdGift', game, ['list.0.product_id', 'list.0.name', 'list.0.count']),
    read('L151', '/api/pay/productPoints', game, ['list.0.product_id', 'list.0.points']),
    read('L152', '/api/pay/getCountryList', area, ['country', 'list.0.display', 'list.0.value']),
    read('L153', '/api/pay/replenishmentCountryList', { replenish_id: replenishId }, ['country', 'list.0.value'], player),
    read(
      'L154 L68',
      '/api/replenishment/replenishment_info',
      { replenish_id: replenishId },
      ['game_name', 'user_name', 'amount', 'currency_code', 'valid_time'],
      player,
    ),
    read(
      'L155 L69',
      '/api/pay/getOrderInfo',
      { billing_no: made.billingNo, simple: '1' },
      ['billing_no', 'status', 'user_name', 'game_name', 'game_server_name', 'role_name', 'product_name'],
      player,
    ),
    read('L156', '/api/cumulative/cumulativeActivityInfo', { client_id: EVENTS_OF }, ['list.0.activity_id', 'list.0.gifts.0']),
    read('L156', '/api/cumulative/status', { client_id: EVENTS_OF }, ['list.0.receivable']),
    read(
      'L156',
      '/api/cumulative/receiveActivityGift',
      { client_id: EVENTS_OF, type: 'cumulative', ...made.event, ...role },
      ['gift_ids.0'],
      { ...player, method: 'POST' },
    ),
    read('L157 L71', '/api/coupons/vipBasicInfo', area, [
      'point_to_coin', 'faq_title', 'faq_content', 'vip_level_infos.0.level_id', 'vip_level_infos.0.level_name',
      'vip_level_infos.0.level_show', 'vip_level_infos.0.need_points', 'vip_level_infos.0.coupons_list',
    ]),
    read('L157 L70', '/api/coupons/vipInfo', {}, ['vip_level', 'vip_level_name', 'vip_level_show', 'total_points'], player),
    read(
      'L157 L72',
      '/api/coupons/couponList',
      { ...game, use_category: 'claim,avail,lock,history' },
      [
        'list.0.code', 'list.0.name', 'list.0.use_category', 'list.0.is_used', 'list.0.used_time',
        'list.0.valid_end_time', 'list.0.time_zone', 'list.0.discount_rate',
      ],
      player,
    ),
    read('L157', '/api/coupons/receiveCoupons', { ...game, code: made.coupon }, [], { ...player, method: 'POST' }),
    read('L158', '/api/rsys/evoke', game, ['state', 'url'], { ...player, method: 'POST' }),
    read('L159 L74 L73', '/api/pay/getPayChannelList', { ...game, ...area, product_id: 'star_50', platform: 'web' }, [
      'country', 'list.GLOBAL.0.payway_id', 'list.GLOBAL.0.channel_id', 'list.GLOBAL.0.key', 'list.GLOBAL.0.pay_id', 'list.GLOBAL.0.name',
      'list.GLOBAL.0.icon', 'list.GLOBAL.0.sort', 'list.GLOBAL.0.min_money', 'list.GLOBAL.0.max_money', 'list.GLOBAL.0.min',
      'list.GLOBAL.0.max', 'list.GLOBAL.0.description', 'list.GLOBAL.0.sub_payment', 'list.GLOBAL.0.open_coupon',
    ]),
    read(
      'L160 L75',
      '/api/pay/calculatePrice',
      { ...game, product_id: 'star_50', coupon_code: '' },
      ['points', 'discountPrice'],
      player,
    ),
    read('L176 L76', '/api/pay/card_info', { ...game, card_info: made.cardInfo }, ['price', 'gems_number', 'extra_gems_number'], {
      ...player,
      method: 'POST',
    }),
  ];
} /* a row a line */ // prettier-ignore

/** Card confirm: the card is spent by it. */
export const cardConfirm = (made: Made, cardInfo: string): WireCall =>
  read(
    'L177',
    '/api/pay/card_confirm',
    { ...game, ...made.role, areaId: '', platform: 'web', card_info: cardInfo },
    ['billing_no'],
    {
      ...player,
      method: 'POST',
    },
  );

const USER = ['username', 'suid', 'oauth_token', 'gp_id'];
const CODE = { authorization_code: 'not-a-code', pkg: 'com.example.game', redirect_uri: 'https://pay.example/login' };
/** By its last word: what the specification sends. A code of a company that nobody gave is a login that fails. */
const COMPANIES: Readonly<Record<string, { line: string; input: WireCall['input'] }>> = {
  google_auth: { line: 'L166', input: CODE },
  apple_auth: { line: 'L167', input: { ...CODE, identity_token: 'not-a-token' } },
  facebook_auth: { line: 'L168', input: { fb_access_token: 'not-a-token' } },
  vk_auth: { line: 'L169', input: { vk_access_token: 'not-a-token', uid: '1' } },
  twitter_redirect: { line: 'L170', input: { callback: 'https://pay.example/login' } },
  twitter_auth: { line: 'L170', input: { oauth_token: 'not-a-token', oauth_verifier: 'none' } },
  huawei_auth: { line: 'L171', input: CODE },
};

/** @param account username and password as they travel */
export function loginCalls(account: { username: string; password: string }, loginFailed: number): WireCall[] {
  const companies = Object.entries(COMPANIES);
  const calls = (base: string, whose: WireCall['input']) =>
    companies.map(([name, { line, input }]): WireCall => ({
      line,
      method: 'POST',
      path: `${base}/${name}`,
      input: { ...input, ...whose },
      needsPlayer: false,
      fields: [],
      code: loginFailed,
    }));
  return [
    read('L163 L165 L65', '/util/login/auth', { ...account, ...game }, USER, { method: 'POST' }),
    read('L163 L65', '/util/login/get_user_info', game, USER, player),
    read('L163 L77', '/util/login/login_config', { ...game, ...area }, [
      'fb_id',
      'gg_id',
      'gg_pkg',
      'ios_id',
      'vk_id',
      'client_id',
      'json_type',
      'twitterHtml',
    ]),
    ...calls('/util/login', game),
    read('L164 L165', '/api/ingame/auth', { ...account, game_id: GAME }, USER, { method: 'POST' }),
    ...calls('/api/ingame', { game_id: GAME }),
  ];
}

/** Payment creation: names behind /api/pay/. @source specification section 7, L173 */
const PAY = [
  'razer_gold_pay', 'payMyCardInGame', 'card_pay', 'payMyCardBilling', 'payMyCardKouDian', 'airwallex', 'platform_pay',
  'xsolla_pay', 'pagsmile_pay', 'paypal_pay', 'codapay_pay', 'naver_pay', 'payermax_pay', 'alipay_pay', 'adyen_pay',
  'travellet_pay', 'pingpongx_pay', 'ebanx_pay', 'funtap_pay',
]; /* a row a line */ // prettier-ignore
/** Behind /api/kr_pay/. */
const KOREAN = ['naver_pay', 'welcome_pay', 'kakao_pay'];

/** By their names in a channel's `payPath`. */
export const PAY_CALLS: readonly { readonly name: string; readonly path: string }[] = [
  ...PAY.map((name) => ({ name, path: `/api/pay/${name}` })),
  ...KOREAN.map((name) => ({ name: `kr_pay/${name}`, path: `/api/kr_pay/${name}` })),
];

/** A page may send these with a pay call beside the goods. @source specification section 7, L174 */
export const PAY_EXTRAS = {
  platform: 'web',
  game_channel_id: '1',
  bcp47_lang: 'en-US',
  did: 'device-1',
  session_id: 'session-1',
  session_time: '1700000000000',
  traffic_source: 'direct',
} as const;

export const TRACKING = [
  {
    line: 'L179',
    path: '/service/recharge/dot.php',
    input: { event: 'goods_choose', id: 'WEBPAY-201-010', data: { product_id: 'star_260' } },
  },
  { line: 'L179', path: '/service/recharge/api.php', input: { event: 18, data: {} } },
] as const;
