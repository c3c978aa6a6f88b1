// The pages that lead to Welcome: on desktops its script over a form of ours, on phones a form in
// EUC-KR. Pure: no calls, no clock.
import type { CreatePayment, PayPage } from '#server/modules/payments/provider.ts';
import { mKeyOf, signMobileForm, signPcForm } from './signature.ts';

/**
 * Ways to pay by our channel id; empty is the card. No virtual accounts: their deposits are told unsigned,
 * and there is nothing to ask.
 * @source the vendor's manual: /smart/wcard, /smart/bank, /smart/mobile and their P_RESERVED; payType of cancel
 * UNSURE: the words of gopaymethod are those of this family of providers
 */
const WAYS: Readonly<Record<string, Way>> = {
  card: {
    gopaymethod: 'Card',
    path: 'wcard',
    reserved: 'twotrs_isp=Y&block_isp=Y&twotrs_isp_noti=N&apprun_check=Y&below1000=Y',
    payType: 'card',
  },
  bank: { gopaymethod: 'DirectBank', path: 'bank', reserved: 'twotrs_bank=Y&apprun_check=Y', payType: 'bank' },
  phone: { gopaymethod: 'HPP', path: 'mobile', reserved: 'apprun_check=Y', payType: 'hpp' },
};

type Way = {
  readonly gopaymethod: string;
  readonly path: string;
  readonly reserved: string;
  readonly payType: 'card' | 'bank' | 'hpp';
};

export function wayOf(channelId: string): Way | null {
  const name = channelId === '' ? 'card' : channelId;
  return Object.hasOwn(WAYS, name) ? (WAYS[name] ?? null) : null;
}

/**
 * @source the vendor's manual: goodname 80, buyername 30. Our choice: half of it, because
 * Korean letters may count twice
 */
const MAX = { goods: 40, buyer: 15 };
const cut = (text: string, most: number) => [...text].slice(0, most).join('');

export type Merchant = { readonly mid: string; readonly signKey: string; readonly tel: string };
export type Charge = { readonly price: string; readonly currency: 'WON' | 'USD' };

/**
 * Calls the script's pay function on the form. The manual spells its name in two ways, and the
 * family of providers in a third.
 * UNSURE: which of them the script of today has
 */
const RUN = `const script = typeof WelStdPay !== 'undefined' ? WelStdPay : typeof WelStdpay !== 'undefined' ? WelStdpay : INIStdPay;
script.pay('pay');`;

/**
 * @param now epoch milliseconds
 * @source github.com/paywelcome/paywelcome.github.io, PC Web Standard, payment form
 */
export function writePcPage(
  input: CreatePayment,
  merchant: Merchant,
  charge: Charge,
  way: Way,
  to: { readonly src: string; readonly sources: readonly string[]; readonly now: number },
): PayPage {
  const timestamp = String(to.now);
  return {
    kind: 'script',
    src: to.src,
    run: RUN,
    data: null,
    sources: to.sources,
    fields: {
      version: '1.0',
      mid: merchant.mid,
      oid: input.reference,
      goodname: cut(input.productName, MAX.goods),
      price: charge.price,
      currency: charge.currency,
      buyername: cut(input.playerName, MAX.buyer) || 'Player',
      buyertel: merchant.tel,
      timestamp,
      signature: signPcForm(merchant.signKey, input.reference, charge.price, timestamp),
      mKey: mKeyOf(merchant.signKey),
      returnUrl: input.returnUrl,
      // UNSURE: loaded inside the overlay when the payer closes it
      closeUrl: input.cancelUrl,
      gopaymethod: way.gopaymethod,
      charset: 'UTF-8',
      payViewType: 'overlay',
      languageView: input.locale.startsWith('ko') ? 'ko' : 'en',
      // HPP(1): a content, not a thing that is sent; below1000: the smallest gems cost less than 1000 won.
      acceptmethod: 'HPP(1):below1000',
    },
  };
}

/** @source the same manual, Mobile, payment form; P_CHARSET is the one of the answers */
export function writeMobilePage(
  input: CreatePayment,
  merchant: Merchant,
  charge: Charge,
  way: Way,
  to: { readonly action: string; readonly now: number },
): PayPage {
  const timestamp = String(to.now);
  return {
    kind: 'form',
    action: to.action,
    charset: 'euc-kr',
    fields: {
      P_MID: merchant.mid,
      P_OID: input.reference,
      P_AMT: charge.price,
      P_UNAME: cut(input.playerName, MAX.buyer) || 'Player',
      P_GOODS: cut(input.productName, MAX.goods),
      P_NEXT_URL: input.returnUrl,
      P_TIMESTAMP: timestamp,
      P_SIGNATURE: signMobileForm(merchant.signKey, charge.price, input.reference, timestamp),
      P_CHARSET: 'utf8',
      P_HPP_METHOD: '1',
      P_RESERVED: way.reserved,
    },
  };
}
