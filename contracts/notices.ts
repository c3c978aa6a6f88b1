// The legal notices of the footer and the items that each must say. A brand's file has a text for every one of them.

/**
 * @source specification section 1, "Japanese legal notices (trade law, prepaid top-up, inquiry)"; Act on Specified
 *   Commercial Transactions, article 11; Payment Services Act, article 13
 */
export const NOTICE_ITEMS = {
  trade: ['seller', 'representative', 'address', 'telephone', 'price', 'payment', 'delivery', 'returns'],
  topup: ['issuer', 'balance', 'expiry', 'usable', 'complaints'],
  inquiry: ['contact'],
} as const;

export type Notice = keyof typeof NOTICE_ITEMS;
export const NOTICES = Object.keys(NOTICE_ITEMS) as Notice[];

/** One item as a page shows it, in the order of NOTICE_ITEMS; `text` may have several lines. */
export type NoticeItem = { item: (typeof NOTICE_ITEMS)[Notice][number]; text: string };
