// The written examples of the family's contract, and every way to sign that an operator can choose.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Options, readOptions } from './options.ts';
import type { Profile } from './profile.ts';
import { isSignature, signedText, signText } from './signature.ts';

const profile: Profile = { name: 'funtap', title: 'FunTap', currencies: ['VND'], defaults: {} };
const base = { CREATE_URL: 'https://pay.example/create', MERCHANT_ID: 'M1001', SECRET: 'test-secret' };
const options = (given: Record<string, string> = {}): Options => readOptions(profile, { ...base, ...given }, 'live');

const create = {
  merchant_id: 'M1001',
  order_no: 'WP20240101000001',
  amount: '50000',
  currency: 'VND',
  product_name: '60 gems',
  user_id: 'u-1',
  return_url: 'https://shop.example/result',
  notify_url: 'https://api.shop.example/notify/funtap',
  timestamp: '1704067200',
  nonce: 'a1b2c3d4e5f60718',
  sign_type: 'HMAC-SHA256',
};
const notice = {
  merchant_id: 'M1001',
  order_no: 'WP20240101000001',
  provider_order_no: 'P-778899',
  amount: '50000',
  currency: 'VND',
  status: 'SUCCESS',
  paid_at: '1704067260',
  timestamp: '1704067261',
  nonce: '0f1e2d3c4b5a6978',
  sign_type: 'HMAC-SHA256',
};

test('the written example of a pay call', () => {
  const text = signedText(options(), 'create', { ...create, sign: 'x', empty: '' });
  expect(text).toBe(
    'amount=50000&currency=VND&merchant_id=M1001&nonce=a1b2c3d4e5f60718&notify_url=https://api.shop.example/notify/funtap&order_no=WP20240101000001&product_name=60 ' +
      'gems&return_url=https://shop.example/result&sign_type=HMAC-SHA256&timestamp=1704067200&user_id=u-1',
  );
  expect(signText(options(), text)).toBe('6fdf72f48eab982cb9e32141e2a057c2ab0563bb3a8637b54e0c33cfa4d16591');
  const md5 = options({ SIGN_TYPE: 'MD5', SECRET_POSITION: 'suffix_key' });
  expect(signText(md5, text)).toBe('dfa8d8936ab89f1513df886a43c63412');
});

test('the written example of a notice', () => {
  const text = signedText(options(), 'notify', notice);
  expect(text).toBe(
    'amount=50000&currency=VND&merchant_id=M1001&nonce=0f1e2d3c4b5a6978&order_no=WP20240101000001&paid_at=1704067260&provider_order_no=P-778899&sign_type=HMAC-SHA256&status=SUCCESS&timestamp=1704067261',
  );
  const sign = '4e0d7b2a57e2bd1dbd0e54f5a29df84625cf2af2cd4bd4152aef113ff923245a';
  expect(isSignature(options(), text, sign)).toBe(true);
  expect(isSignature(options(), text, sign.toUpperCase())).toBe(true);
  for (const wrong of [undefined, '', sign.slice(2), `${sign}00`, sign.replace('4', '5'), `${sign.slice(1)}g`, 'é'])
    expect(isSignature(options(), text, wrong)).toBe(false);
  expect(isSignature(options({ SECRET: 'other' }), text, sign)).toBe(false);
});

const lists = { SIGN_FIELDS_CREATE: 'order_no,amount', SIGN_FIELDS_NOTIFY: 'status,order_no,amount' };

test.each<[string, Record<string, string>, string]>([
  ['sorted pairs', {}, 'amount=5&order_no=A&status=OK'],
  ['sorted pairs with empty ones', { SKIP_EMPTY: 'false' }, 'amount=5&nonce=&order_no=A&status=OK'],
  ['sorted values', { CANONICAL: 'sorted_values' }, '5AOK'],
  ['listed pairs', { CANONICAL: 'listed_pairs', ...lists }, 'status=OK&order_no=A&amount=5'],
  ['listed values', { CANONICAL: 'listed_values', ...lists }, 'OKA5'],
])('%s', (_name, given, text) => {
  const pairs = { status: 'OK', order_no: 'A', amount: '5', nonce: '', sign: 'never' };
  expect(signedText(options(given), 'notify', pairs)).toBe(text);
});

test('names are sorted by their bytes: capitals first, then letters of other scripts last', () => {
  expect(signedText(options(), 'notify', { b: '1', é: '2', A: '3', _: '4' })).toBe('A=3&_=4&b=1&é=2');
});

test.each<[string, Record<string, string>, string]>([
  ['SHA256 with the secret in front', { SIGN_TYPE: 'SHA256', SECRET_POSITION: 'prefix_raw' }, 'test-secrettext'],
  ['SHA256 with the secret behind', { SIGN_TYPE: 'SHA256', SECRET_POSITION: 'suffix_raw' }, 'texttest-secret'],
  ['SHA256 with &key=', { SIGN_TYPE: 'SHA256', SECRET_POSITION: 'suffix_key' }, 'text&key=test-secret'],
])('%s', (_name, given, hashed) => {
  const hash = createHash('sha256').update(hashed).digest();
  expect(signText(options(given), 'text')).toBe(hash.toString('hex'));
  expect(signText(options({ ...given, SIGN_CASE: 'upper' }), 'text')).toBe(hash.toString('hex').toUpperCase());
  const inBase64 = options({ ...given, SIGN_ENCODING: 'base64' });
  expect(signText(inBase64, 'text')).toBe(hash.toString('base64'));
  expect(isSignature(inBase64, 'text', hash.toString('base64'))).toBe(true);
  expect(isSignature(inBase64, 'text', `${hash.toString('base64')}!`)).toBe(false);
});

test('RSA: we sign with our key and believe theirs alone, in one line or as PEM', () => {
  const pair = () =>
    generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
  const [ours, theirs] = [pair(), pair()];
  const oneLine = (pem: string) => pem.replace(/-----[A-Z ]+-----|\n/g, '');
  const rsa = { SIGN_TYPE: 'RSA-SHA256', SIGN_ENCODING: 'base64' };
  const we = options({
    ...rsa,
    SECRET: oneLine(ours.privateKey),
    PUBLIC_KEY: theirs.publicKey.replaceAll('\n', '\\n'),
  });
  const they = options({ ...rsa, SECRET: theirs.privateKey, PUBLIC_KEY: oneLine(ours.publicKey) });
  expect(isSignature(they, 'text', signText(we, 'text'))).toBe(true);
  expect(isSignature(we, 'text', signText(they, 'text'))).toBe(true);
  expect(isSignature(we, 'text', signText(we, 'text'))).toBe(false);
  expect(isSignature(we, 'texts', signText(they, 'text'))).toBe(false);
  expect(isSignature(options({ ...rsa, SECRET: theirs.privateKey }), 'text', signText(they, 'text'))).toBe(false);
});

test.each<[string, Record<string, string>, string]>([
  ['no secret', { SECRET: '' }, 'SECRET are needed'],
  ['a hash without a secret', { SIGN_TYPE: 'MD5' }, 'it would hold no secret'],
  ['HMAC with a suffix', { SECRET_POSITION: 'suffix_raw' }, 'HMAC-SHA256 needs SECRET_POSITION hmac'],
  ['an algorithm nobody has', { SIGN_TYPE: 'none' }, 'SIGN_TYPE must be one of'],
  ['lists without fields', { CANONICAL: 'listed_values' }, 'needs SIGN_FIELDS_CREATE'],
  [
    'a notice whose amount is not signed',
    { CANONICAL: 'listed_values', ...lists, SIGN_FIELDS_NOTIFY: 'order_no,status' },
    'leaves out amount',
  ],
  ['plain http on the live side', { CREATE_URL: 'http://pay.example/' }, 'must begin with https'],
  ['no address', { QUERY_URL: 'pay.example/query' }, 'QUERY_URL is no address'],
  ['a field nobody knows', { FIELD_MAP: 'prize=x' }, 'knows no field "prize"'],
  ['two fields of one name', { FIELD_MAP: 'order_no=amount' }, 'two fields one name'],
  ['a status nobody knows', { STATUS_MAP: 'OK=great' }, 'the status "great"'],
  ['decimals that are none', { DECIMALS: 'VND=x' }, 'DECIMALS must be 0 to 3'],
  ['decimals in hex', { DECIMALS: 'USD=0x1' }, 'DECIMALS must be 0 to 3'],
  ['decimals that are too many', { DECIMALS: 'USD=4' }, 'DECIMALS must be 0 to 3'],
  ['a currency alone, which would be 0', { DECIMALS: 'USD' }, 'DECIMALS has "USD"; write name=value'],
  ['no decimals, which would be 0', { DECIMALS: 'USD=' }, 'DECIMALS has "USD="; write name=value'],
  ['decimals of no currency', { DECIMALS: 'USd=0' }, 'DECIMALS names USd, which is no currency'],
  ['decimals that are said twice', { DECIMALS: 'USD=0,USD=2' }, 'DECIMALS has USD twice'],
  ['a field without a name', { FIELD_MAP: 'order_no=' }, 'FIELD_MAP has "order_no="; write name=value'],
  ['a time that is none', { MAX_SKEW_S: '-1' }, 'MAX_SKEW_S must be a whole number'],
])('%s is told in a sentence', (_name, given, sentence) => {
  expect(() => options(given)).toThrow(sentence);
});

test('a query or refund address needs its list as well, and several currencies a signed currency', () => {
  const listed = { CANONICAL: 'listed_pairs', ...lists };
  expect(() => options({ ...listed, QUERY_URL: 'https://pay.example/q' })).toThrow('SIGN_FIELDS_QUERY');
  expect(() => options({ ...listed, REFUND_URL: 'https://pay.example/r' })).toThrow('SIGN_FIELDS_REFUND');
  const open: Profile = { ...profile, currencies: null };
  expect(() => readOptions(open, { ...base, ...listed, CURRENCIES: 'USD,EUR' }, 'live')).toThrow('leaves out currency');
  expect(() => readOptions(open, base, 'live')).toThrow('names no currency');
  expect(() => readOptions(open, { ...base, CURRENCIES: 'USD,eur' }, 'live')).toThrow('CURRENCIES names eur');
});
