// Welcome's forms: what the shop posts for desktops and for phones, and what the browser posts back.

import type { FastifyRequest } from 'fastify';
import { rawTextOf } from '#simulators/kit/bodies.ts';
import { mKeyOf, signPairs } from './welcome-signature.ts';
import type { Visit } from './welcome-state.ts';

type Account = { mid: string; signKey: string };
/** A form asks for these. */
export type Asked = Pick<Visit, 'oid' | 'price' | 'method' | 'currency' | 'goods' | 'returnUrl'>;
export type ReadForm = Asked | 'unsigned' | 'incomplete';

/** @source the vendor's manual: gopaymethod, and the paths for phones */
const pcMethods: Record<string, Visit['method']> = { Card: 'CARD', DirectBank: 'BANK', HPP: 'MOBILE', '': 'CARD' };
const mobileMethods: Record<string, Visit['method']> = { wcard: 'CARD', bank: 'BANK', mobile: 'MOBILE' };

export function readPcForm(request: FastifyRequest, account: Account): ReadForm {
  const field = readForm(request, 'utf-8');
  const mKey = mKeyOf(account.signKey);
  const [oid, price, timestamp] = [field('oid'), field('price'), field('timestamp')];
  const signature = signPairs([
    ['mKey', mKey],
    ['oid', oid],
    ['price', price],
    ['timestamp', timestamp],
  ]);
  const method = pcMethods[field('gopaymethod')];
  const isWhole = ['goodname', 'buyername', 'buyertel', 'returnUrl', 'closeUrl'].every((name) => field(name) !== '');
  if (field('mid') !== account.mid || field('signature') !== signature || field('mKey') !== mKey) return 'unsigned';
  if (!method || !isWhole || !isOrder(oid, price) || field('version') !== '1.0') return 'incomplete';
  return { oid, price, method, currency: field('currency'), goods: field('goodname'), returnUrl: field('returnUrl') };
}

/** @source the vendor's manual: the form for phones is EUC-KR unless told otherwise */
export function readMobileForm(request: FastifyRequest, way: string, account: Account): ReadForm {
  const field = readForm(request, 'euc-kr');
  const [oid, price, timestamp] = [field('P_OID'), field('P_AMT'), field('P_TIMESTAMP')];
  const signature = signPairs([
    ['mkey', mKeyOf(account.signKey)],
    ['P_AMT', price],
    ['P_OID', oid],
    ['P_TIMESTAMP', timestamp],
  ]);
  const method = mobileMethods[way];
  const isWhole = ['P_GOODS', 'P_UNAME', 'P_NEXT_URL'].every((name) => field(name) !== '');
  if (field('P_MID') !== account.mid || field('P_SIGNATURE') !== signature) return 'unsigned';
  if (!method || !isWhole || !isOrder(oid, price)) return 'incomplete';
  return { oid, price, method, currency: 'WON', goods: field('P_GOODS'), returnUrl: field('P_NEXT_URL') };
}

const isOrder = (oid: string, price: string) => oid !== '' && oid.length <= 40 && /^[1-9]\d{0,11}$/.test(price);

/** Fields of a form in its own encoding, which percent signs hide. */
export function readForm(request: FastifyRequest, charset: 'utf-8' | 'euc-kr'): (name: string) => string {
  const decoder = new TextDecoder(charset);
  const decode = (text: string) =>
    decoder.decode(
      Buffer.from(
        text
          .replaceAll('+', ' ')
          .replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
        'latin1',
      ),
    );
  const fields = new Map(
    rawTextOf(request)
      .split('&')
      .map((pair) => pair.split('='))
      .map(([name = '', ...value]) => [decode(name), decode(value.join('='))]),
  );
  return (name) => fields.get(name) ?? '';
}

/** Fields that the browser posts to the shop. @param origin of the approval calls */
export function resultOf(visit: Visit, mid: string, origin: string): Record<string, string> {
  const isAgreed = visit.status !== 'declined' && visit.status !== 'open';
  if (visit.kind === 'mobile')
    return isAgreed
      ? {
          P_STATUS: '00',
          P_RMESG1: 'OK',
          P_TID: visit.id,
          P_REQ_URL: `${origin}/mobile/approve`,
          P_AMT: visit.price,
          P_NOTI: '',
        }
      : {
          P_STATUS: '01',
          P_RMESG1: 'cancelled by the payer',
          P_TID: '',
          P_REQ_URL: '',
          P_AMT: visit.price,
          P_NOTI: '',
        };
  const shared = { mid, orderNumber: visit.oid, charset: 'UTF-8', merchantData: '' };
  if (!isAgreed) return { resultCode: 'V013', resultMsg: 'cancelled by the payer', ...shared };
  return {
    resultCode: '0000',
    resultMsg: 'success',
    ...shared,
    authToken: visit.id,
    authUrl: `${origin}/pc/approve`,
    netCancelUrl: `${origin}/pc/net-cancel`,
  };
}
