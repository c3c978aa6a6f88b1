// Persons are taken out of messages of every form; what reconciliation and disputes need stays.
import { expect, test } from 'vitest';
import { maskPersons } from './mask-persons.ts';

const json = (value: unknown, fields: string[] = []): unknown => JSON.parse(maskPersons(JSON.stringify(value), fields));

test.each([
  ['mail', { contact: 'zora@example.org' }],
  ['a name', { buyer_name: 'Zora Quill' }],
  ['a name below its person', { payer: { name: 'Zora Quill', country: 'DE' } }],
  ['a name wrapped in a value', { user: { name: { value: 'Zora Quill' } } }],
  [
    'a named value',
    {
      entry: [
        { key: 'email', value: 'zora' },
        { name: 'client_ip', value: 'zora' },
      ],
    },
  ],
  ['a telephone number below its key', { phone: { phone_number: { national_number: '15112345678' } } }],
  ['a telephone number in words', { note: 'call +49 151 1234 5678' }],
  ['an address', { billing: { address: { line1: 'Zoraweg 7', state: 'BY', country_code: 'DE' } } }],
  ['a network address, old', { remark: 'from 203.0.113.77' }],
  ['a network address, new', { remark: 'from 2001:db8::77' }],
  ['a key with capitals', { shopperIP: 'zora' }],
  ['a card in the open', { remark: '4111 1111 1111 1111' }],
  ['a fragment of a card', { cardSummary: '1111', reason: '012345:1111:03/2030' }],
  ['a part of a card', { card: { bin: '411111', last4: '1111', name: 'Zora Quill', brand: 'visa' } }],
  ["the payer's number at the provider", { payer_id: 'ZORAQ7' }],
  ['a document', { customer: { document: '853.513.468-93' } }],
  ['JSON inside of JSON', { bizContent: '{"customer":{"lastName":"Zora"},"amount":"100"}' }],
  ['a secret', { password: 'zora', token: 'zora', api_key: 'zora' }],
  ['a query', { return_url: 'https://pay.example/return?order=7&email=zora%40example.org' }],
])('masks %s', (_, message) => {
  const masked = maskPersons(JSON.stringify(message));
  expect(masked).toContain('***');
  expect(masked).not.toMatch(/zora|15112345678|1234 5678|203\.0\.113|2001:db8|411111|1111:03|"1111"|853\.513/i);
});

test.each([
  ['references and amounts', { id: 'cap-7', invoice_id: '01JGZ-1', amount: { value: '10.50', currency_code: 'EUR' } }],
  ['states and times', { status: 'COMPLETED', create_time: '2026-01-02T03:04:05.678+00:00', state: 'paid' }],
  [
    'merchant accounts',
    { merchantAccountCode: 'RefillCOM', payee: { merchant_id: 'M7' }, seller_id: '2088531891668739' },
  ],
  [
    'our own number of a player',
    { user: { id: '01908d5c-6c3c-7000-8000-000000000001' }, customerId: '01908d5c6c3c70008000000000000001' },
  ],
  ['what we gave as ours', { merchantUserKey: 'k-7', partner_user_id: 'k-7' }],
  ['goods', { items: [{ name: '60 Embers', quantity: 1 }], goodname: '60 Embers', product_name: '60 Embers' }],
  ['the country and the kind of card', { payer: { country_code: 'DE' }, card: { brand: 'visa', type: 'credit' } }],
  ['long numbers of payments', { trade_no: '2019081522001468450512505578', txn_id: '4111111111111111' }],
  ['truth and nothing', { user: { is_new: true, note: null }, list: [1, 2.5] }],
])('keeps %s', (_, message) => {
  expect(json(message)).toEqual(message);
});

test('keeps the digits of numbers that no double holds', () => {
  const body = '{"txnId":6850822175662776971,"price":1000.00,"user":{"id":6850822175662776971}}';
  expect(maskPersons(body)).toBe('{"txnId":6850822175662776971,"price":1000.00,"user":{"id":"***"}}');
});

test('masks fields that a provider declares, wherever they stand', () => {
  expect(json({ name: 'Zora', payment: { name: 'Zora' } }, ['name'])).toEqual({
    name: '***',
    payment: { name: '***' },
  });
});

test('masks a form, and leaves the rest of it byte for byte', () => {
  expect(
    maskPersons(
      'trade_no=2019081522001468450512505578&buyer_logon_id=zor***%40126.com&subject=60+Embers&customer%5Bname%5D=Zora+Quill' +
        '&total_amount=0.10&DATA=%7B%22payer%22%3A%7B%22name%22%3A%22Zora%22%7D%7D&P_UNAME=%C1%B6',
    ),
  ).toBe(
    'trade_no=2019081522001468450512505578&buyer_logon_id=***&subject=60+Embers&customer%5Bname%5D=***' +
      '&total_amount=0.10&DATA=%7B%22payer%22%3A%7B%22name%22%3A%22***%22%7D%7D&P_UNAME=***',
  );
});

test('masks XML: elements, attributes and what is quoted whole', () => {
  expect(
    maskPersons(
      '<?xml version="1.0"?><notice id="7"><payer ref=\'zora\'><name>Zora</name><country>DE</country></payer>' +
        '<amount currency="EUR">10.50</amount><email><![CDATA[zora@example.org]]></email><empty/></notice>',
    ),
  ).toBe(
    '<?xml version="1.0"?><notice id="7"><payer ref=\'***\'><name>***</name><country>DE</country></payer>' +
      '<amount currency="EUR">10.50</amount><email><![CDATA[***]]></email><empty/></notice>',
  );
});

test('masks what was cut off, and plain text', () => {
  expect(maskPersons('{"id":"cap-7","payer":{"name":"Zora Quill","email":"zora@exa')).toBe(
    '{"id":"cap-7","payer":{"name":"***","email":"***"',
  );
  expect(maskPersons('error: buyer_name = Zora Quill, status: refused')).toBe(
    'error: buyer_name = ***, status: refused',
  );
});

test('a message that is nested without end is given up, not followed', () => {
  const deep = `${'{"a":'.repeat(5000)}"zora@example.org"${'}'.repeat(5000)}`;
  expect(maskPersons(deep)).not.toContain('zora');
});

test('rubbish of the size of a callback does not hold it up', { timeout: 60_000 }, () => {
  // A mask that compared every pair of places in it would take longer than this test may.
  for (const rubbish of ['<a "', '="', '{"', '4111 ', 'a@', '1.', ':', '+1', '&a=', '[{', 'name=', '"name":"']) {
    const text = rubbish.repeat(Math.ceil(60_000 / rubbish.length));
    expect(maskPersons(text).length).toBeLessThanOrEqual(2 * text.length);
  }
});
