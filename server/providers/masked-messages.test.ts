// Messages of every provider with a person in them, shaped as its public documents show them: what is stored of each
// tells of nobody, and still says which payment it was, how much, in which state, for which merchant.
import { expect, test } from 'vitest';
import { maskPersons } from '#server/platform/masking/mask-persons.ts';
import { paymentProviders } from './payments/registry.ts';

/** Every piece of the person that the messages tell of. */
const PERSONAL = [
  'Zora', 'Quill', 'zora', 'example.org', '15112345678', '1511 2345', '203.0.113.77', 'Quillweg', '80331', 'München', '1111', '85351346893',
  '1990', 'ZQ7PAYER', 'Mozilla/5.0 (Zora)', '2088102534368455',
]; /* a kind a line */ // prettier-ignore

const NAME = { given_name: 'Zora', surname: 'Quill' };
const ADDRESS = { address_line_1: 'Quillweg 7', admin_area_2: 'München', postal_code: '80331', country_code: 'DE' };
const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

type Message = { readonly from: string; readonly text: string; readonly keeps: readonly string[] };

const message = (from: string, body: unknown, ...keeps: string[]): Message => ({
  from,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  keeps,
});

const MESSAGES: readonly Message[] = [
  message(
    'adyen',
    {
      live: 'false',
      notificationItems: [
        {
          NotificationRequestItem: {
            additionalData: {
              hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=',
              cardHolderName: 'Zora Quill', cardSummary: '1111', cardBin: '411111', expiryDate: '03/1990', shopperIP: '203.0.113.77', shopperEmail: 'zora@example.org',
              'billingAddress.street': 'Quillweg', 'billingAddress.city': 'München', shopperReference: '01908d5c-6c3c-7000-8000-000000000001',
            },
            amount: { currency: 'EUR', value: 1130 }, eventCode: 'AUTHORISATION', eventDate: '2026-01-01T01:02:01+02:00', merchantAccountCode: 'RefillCOM',
            merchantReference: '01JGZ-1', pspReference: '7914073381342284', paymentMethod: 'visa', reason: '012345:1111:03/1990', success: 'true',
          },
        },
      ],
    },
    'RefillCOM', '01JGZ-1', '7914073381342284', '"value":1130', 'AUTHORISATION', '01908d5c-6c3c-7000-8000-000000000001', '012345',
  ),
  message(
    'airwallex',
    {
      id: 'evt_7', name: 'payment_intent.succeeded', account_id: 'acct_7', created_at: '2026-01-01T00:00:00+0000',
      data: {
        object: {
          id: 'int_7', merchant_order_id: '01JGZ-1', amount: 10.5, currency: 'EUR', status: 'SUCCEEDED', customer_id: 'ZQ7PAYER',
          customer: { id: 'ZQ7PAYER', first_name: 'Zora', last_name: 'Quill', email: 'zora@example.org', phone_number: '15112345678' },
          latest_payment_attempt: {
            id: 'att_7', authorization_code: 'A7',
            payment_method: { type: 'card', card: { name: 'Zora Quill', bin: '411111', last4: '1111', brand: 'visa', expiry_year: '1990' },
              billing: { first_name: 'Zora', address: { street: 'Quillweg 7', city: 'München', postcode: '80331', country_code: 'DE' } } },
            device_data: { ip_address: '203.0.113.77', browser: { user_agent: 'Mozilla/5.0 (Zora)' } },
          },
        },
      },
    },
    'acct_7', 'int_7', '01JGZ-1', '10.5', 'SUCCEEDED', 'att_7', 'visa', '"country_code":"DE"',
  ),
  message(
    'alipay',
    form({
      app_id: '2019073166072302', buyer_id: '2088102534368455', buyer_logon_id: 'zora***@example.org', buyer_pay_amount: '0.10', charset: 'utf-8',
      fund_bill_list: '[{"amount":"0.10","fundChannel":"ALIPAYACCOUNT"}]', gmt_payment: '2026-08-15 15:56:24', out_trade_no: '01JGZ-1', seller_id: '2088531891668739',
      subject: '60 Embers', total_amount: '0.10', trade_no: '2019081522001468450512505578', trade_status: 'TRADE_SUCCESS',
    }),
    'out_trade_no=01JGZ-1', 'seller_id=2088531891668739', 'trade_no=2019081522001468450512505578', 'TRADE_SUCCESS', 'total_amount=0.10', '2026-08-15+15%3A56%3A24',
  ),
  message(
    'alipay',
    {
      notifyType: 'PAYMENT_RESULT', paymentRequestId: '01JGZ-1', paymentId: '2026P7', paymentAmount: { currency: 'EUR', value: '1050' },
      pspCustomerInfo: { pspName: 'ALIPAY_CN', pspCustomerId: 'ZQ7PAYER', displayCustomerId: 'zora***@example.org' },
      paymentResultInfo: { cardNo: '411111****1111', cardholderName: 'Zora Quill' }, env: { clientIp: '203.0.113.77', userAgent: 'Mozilla/5.0 (Zora)' },
    },
    '01JGZ-1', '2026P7', '"value":"1050"', 'PAYMENT_RESULT',
  ),
  message('codapay', {
    initRequest: {
      projectId: 289, orderId: '01JGZ-1', country: 158, currency: 901, items: [{ code: 'sku', name: '60 Embers', price: 1000 }],
      profile: { entry: [{ key: 'user_id', value: 'ZQ7PAYER' }, { key: 'email', value: 'zora@example.org' }, { key: 'client_ip', value: '203.0.113.77' }, { key: 'msisdn', value: '15112345678' }] },
    },
  }, '01JGZ-1', '60 Embers', '1000', '289'),
  message('codapay', form({ TxnId: '6850822175662776971', OrderId: '01JGZ-1', TotalPrice: '1000.0', ResultCode: '0', customer_email: 'zora@example.org', MSISDN: '15112345678' }), '6850822175662776971', 'OrderId=01JGZ-1', '1000.0', 'ResultCode=0'),
  message('ebanx', form({
    merchant_payment_code: '01JGZ-1', name: 'Zora Quill', email: 'zora@example.org', country: 'br', currency_code: 'BRL', amount: '10.50', customer_ip: '203.0.113.77',
    document: '85351346893', phone_number: '15112345678', zipcode: '80331', address: 'Quillweg', street_number: '1990', city: 'München', birth_date: '01/01/1990',
  }), 'merchant_payment_code=01JGZ-1', 'BRL', '10.50', 'country=br'),
  message('ebanx', { status: 'SUCCESS', payment: { hash: '59ad7', merchant_payment_code: '01JGZ-1', status: 'CO', amount_ext: '10.50', currency_ext: 'USD', customer: { document: '85351346893', email: 'zora@example.org', name: 'ZORA Quill', birth_date: '1990-01-01' } } }, '59ad7', '01JGZ-1', '"CO"', '10.50', 'USD'),
  message('kakao', { aid: 'A7', tid: 'T7', cid: 'TC0ONETIME', partner_order_id: '01JGZ-1', partner_user_id: '01908d5c-6c3c-7000-8000-000000000001', amount: { total: 5900 }, card_info: { bin: '411111', card_type: 'credit', approved_id: '77' }, item_name: '60 Embers' }, 'T7', 'TC0ONETIME', '01JGZ-1', '5900', 'approved_id":"77', '60 Embers'),
  message('mycard', form({ ReturnCode: '1', PayResult: '3', FacTradeSeq: '01JGZ-1', PaymentType: 'INGAME', Amount: '150', Currency: 'TWD', MyCardTradeNo: 'MCAB7', CustomerId: 'ZQ7PAYER' }), 'FacTradeSeq=01JGZ-1', 'MyCardTradeNo=MCAB7', '150', 'TWD', 'PayResult=3'),
  message('naver', { code: 'Success', body: { paymentId: 'N7', detail: { payHistId: 'H7', merchantPayKey: '01JGZ-1', merchantUserKey: 'k-7', admissionState: 'SUCCESS', totalPayAmount: 5900, cardNo: '4111********1111', cardAuthNo: '77', purchaserName: 'Zora', purchaserBirthday: '19900101' } } }, 'N7', '01JGZ-1', '5900', 'k-7', 'cardAuthNo":"77'),
  message('pagsmile', { trade_no: 'P7', out_trade_no: '01JGZ-1', app_id: '162', trade_status: 'SUCCESS', amount: '12.01', currency: 'BRL', method: 'Boleto', user: { buyer_id: '01908d5c-6c3c-7000-8000-000000000001', identify: { type: 'CPF', number: '85351346893' }, username: 'Zora Quill', phone: '15112345678', email: 'zora@example.org', ip: '203.0.113.77' } }, 'P7', '01JGZ-1', '12.01', 'BRL', 'Boleto', 'SUCCESS'),
  message('payermax', { code: 'APPLY_SUCCESS', merchantNo: 'M7', data: { outTradeNo: '01JGZ-1', tradeToken: 'T7', totalAmount: 10000, currency: 'IDR', status: 'SUCCESS', userId: 'ZQ7PAYER', paymentDetails: [{ paymentMethodType: 'CARD', cardInfo: { cardIdentifierNo: '411111******1111', cardIdentifierName: 'Zora Quill', cardOrg: 'VISA' }, payAccountInfo: [{ accountNo: '15112345678' }] }] } }, 'M7', '01JGZ-1', 'T7', '10000', 'IDR', 'VISA'),
  message('paypal', {
    id: 'WH-7', event_type: 'PAYMENT.CAPTURE.COMPLETED',
    resource: {
      id: 'CAP7', status: 'COMPLETED', custom_id: '01JGZ-1', amount: { currency_code: 'EUR', value: '10.50' }, payee: { email_address: 'zora@example.org', merchant_id: 'MERCHANT7' },
      payer: { name: NAME, email_address: 'zora@example.org', payer_id: 'ZQ7PAYER', phone: { phone_number: { national_number: '15112345678' } }, birth_date: '1990-01-01', address: ADDRESS },
      payment_source: { paypal: { account_id: 'ZQ7PAYER', name: NAME, address: ADDRESS, account_status: 'VERIFIED' }, card: { name: 'Zora Quill', last_digits: '1111', brand: 'VISA' } },
      purchase_units: [{ reference_id: 'default', shipping: { name: { full_name: 'Zora Quill' }, address: ADDRESS } }], create_time: '2026-01-01T00:00:00Z',
    },
  }, 'WH-7', 'CAP7', '01JGZ-1', '10.50', 'MERCHANT7', 'VERIFIED', '2026-01-01T00:00:00Z', '"country_code":"DE"'),
  message('pingpong', {
    accId: '2018', bizContent: JSON.stringify({ amount: '10.50', currency: 'EUR', merchantTransactionId: '01JGZ-1', transactionId: '2023092050004591', shopperIP: '203.0.113.77', merchantUserId: 'k-7', customer: { identificationId: '85351346893', firstName: 'Zora', lastName: 'Quill', email: 'zora@example.org', phone: '15112345678' }, cardInfo: { bin: '411111', cardNo: '411111****1111', expireYear: '1990' } }),
    signType: 'SHA256',
  }, '2018', '01JGZ-1', '2023092050004591', '10.50', 'k-7'),
  message('razer', form({ applicationCode: '3f25', referenceId: '01JGZ-1', paymentId: 'MPO7', amount: '1050', currencyCode: 'MYR', paymentStatusCode: '00', customerId: 'ZQ7PAYER', ClientIpAddress: '203.0.113.77' }), '01JGZ-1', 'MPO7', '1050', 'MYR', 'paymentStatusCode=00'),
  message('welcome', 'P_STATUS=00&P_TID=MTID7&P_TYPE=CARD&P_OID=01JGZ-1&P_AMT=5900&P_UNAME=Zora&P_CARD_NUM=411111******1111&P_HPP_NUM=15112345678&P_AUTH_NO=77\r\n', 'MTID7', '01JGZ-1', '5900', 'P_STATUS=00', 'P_AUTH_NO=77'),
  message('welcome', { resultCode: '0000', tid: 'STD7', MOID: '01JGZ-1', TotPrice: '5900', applNum: '77', buyerName: 'Zora', buyerTel: '15112345678', buyerEmail: 'zora@example.org', CARD_Num: '411111******1111', VACT_InputName: 'Zora' }, 'STD7', '01JGZ-1', '5900', '"applNum":"77"'),
  message('welcome', form({ no_tid: 'V7', no_oid: '01JGZ-1', amt_input: '5900', type_msg: '0200', nm_input: 'Zora', no_vacct: '15112345678' }), 'V7', '01JGZ-1', '5900'),
  message('xsolla', {
    notification_type: 'payment', purchase: { checkout: { currency: 'USD', amount: 10.5 } }, transaction: { id: 77, external_id: '01JGZ-1', payment_method: 1380, dry_run: 1 },
    user: { id: '01908d5c-6c3c-7000-8000-000000000001', ip: '203.0.113.77', phone: '15112345678', email: 'zora@example.org', name: 'Zora Quill', country: 'DE', zip: '80331' },
    refund_details: { code: 1, author: 'zora@example.org' }, billing: { transaction: { id: 77 } },
  }, '01JGZ-1', '"id":77', '10.5', 'USD', '01908d5c-6c3c-7000-8000-000000000001', '"country":"DE"'),
  message('xsolla', { user: { id: { value: '01908d5c-6c3c-7000-8000-000000000001' }, name: { value: 'Zora Quill' }, email: { value: 'zora@example.org' } }, settings: { project_id: 44056, external_id: '01JGZ-1' } }, '44056', '01JGZ-1'),
  message('funtap', form({ merchant_id: 'M7', order_no: '01JGZ-1', amount: '50000', currency: 'VND', status: '1', user_id: 'ZQ7PAYER', payer_phone: '15112345678' }), 'M7', '01JGZ-1', '50000', 'status=1'),
  message('travellet', { merchant_id: 'M7', order_no: '01JGZ-1', provider_order_no: 'T7', amount: '10.50', currency: 'USD', status: 'paid', payer: { name: 'Zora Quill' } }, 'M7', '01JGZ-1', 'T7', '10.50', 'paid'),
]; /* a message a paragraph, as documents show them */ // prettier-ignore

const outside = paymentProviders.filter(({ internalTender }) => internalTender === undefined);

test('every provider has a message here', () => {
  expect(new Set(MESSAGES.map(({ from }) => from))).toEqual(new Set(outside.map(({ name }) => name)));
});

const spelled = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));

test.each(MESSAGES.map((one, index) => [`${one.from} ${index}`, one] as const))('%s', (_, { from, text, keeps }) => {
  const { personalFields } = outside.find(({ name }) => name === from) ?? {};
  expect(PERSONAL.some((piece) => spelled(text).includes(piece))).toBe(true);
  const masked = maskPersons(text, personalFields);
  const left = PERSONAL.filter((piece) => spelled(masked).includes(piece));
  const lost = keeps.filter((piece) => !masked.includes(piece));
  expect({ masked, left, lost }).toEqual({ masked, left: [], lost: [] });
});
