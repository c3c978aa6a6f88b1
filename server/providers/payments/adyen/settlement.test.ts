import { expect, test } from 'vitest';
import type { SettlementLine } from '#server/modules/payments/provider.ts';
import { readSettlement } from './settlement.ts';

const HEAD =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation ' +
  'Date,TimeZone,Type,Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate\n';
const row = (
  type: string,
  debit: string,
  credit: string,
  currency = 'USD',
  zone = 'CET',
  time = '2026-11-21 01:05:00',
) => `C,M,PSP1,R-1,visa,${time},${zone},${type},MOD1,${currency},${debit},${credit},1\n`;

async function read(text: string): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = [];
  async function* pieces() {
    for (let at = 0; at < text.length; at += 37) yield text.slice(at, at + 37);
  }
  for await (const line of readSettlement(pieces())) lines.push(line);
  return lines;
}

test.each([
  ['Settled', '', '4.99', 'payment', 499],
  ['Settled', '4.99', '', 'payment', 499],
  ['SettledReversed', '4.99', '', 'payment', -499],
  ['Refunded', '4.9', '', 'refund', 490],
  ['RefundedReversed', '', '5', 'refund', -500],
  ['Chargeback', '4.99', '', 'chargeback', 499],
  ['SecondChargeback', '4.99', '', 'chargeback', 499],
  ['ChargebackReversed', '', '4.99', 'chargeback', -499],
])('%s is read by its journal type', async (type, debit, credit, movement, amountMinor) => {
  expect(await read(HEAD + row(type, debit, credit))).toEqual([
    {
      kind: 'money',
      line: 2,
      movement,
      reference: 'R-1',
      captureRef: 'PSP1',
      amount: { amountMinor, currency: 'USD' },
      at: Date.parse('2026-11-21T00:05:00Z'),
    },
  ]);
});

test.each(['Fee', 'MiscCosts', 'MerchantPayout', 'DepositCorrection', 'InvoiceDeduction', 'Balancetransfer'])(
  '%s moves no payment and is left out',
  async (type) => {
    expect(await read(HEAD + row(type, '1.00', ''))).toEqual([]);
  },
);

test.each([
  ['no amount', row('Settled', '', '')],
  ['more decimals than the currency has', row('Settled', '', '4.999')],
  ['decimals of a currency without', row('Settled', '', '4.5', 'JPY')],
  ['a currency we never charge', row('Settled', '', '4.99', 'XXX')],
  ['a zone that means several things', row('Settled', '', '4.99', 'USD', 'CST')],
  ['no time', row('Settled', '', '4.99', 'USD', 'CET', '21/11/2026')],
  ['a day that there is not', row('Settled', '', '4.99', 'USD', 'CET', '2026-02-30 10:00:00')],
])('%s is a line that cannot be read', async (_name, text) => {
  expect(await read(HEAD + text)).toMatchObject([{ kind: 'unreadable', line: 2 }]);
});

test('a file without the columns is refused by the first one that is missing', async () => {
  await expect(read('a,b\n1,2\n')).rejects.toThrow('no column "Psp Reference"');
  await expect(read('')).rejects.toThrow('it is empty');
  expect(await read(HEAD)).toEqual([]);
});

test.each([
  ['interchange++', '0.10,,0.05,0.20', { amountMinor: 35, currency: 'EUR' }],
  ['a blend', ',0.42,,', { amountMinor: 42, currency: 'EUR' }],
  ['given back', ',-0.42,,', { amountMinor: -42, currency: 'EUR' }],
  ['none', ',,,', undefined],
  ['a part that cannot be read', '0.10,,a,0.20', undefined],
])('what Adyen kept: %s', async (_name, cells, fee) => {
  const head = HEAD.replace('\n', ',Net Currency,Markup (NC),Commission (NC),Scheme Fees (NC),Interchange (NC)\n');
  const [line] = await read(head + row('Settled', '', '4.99').replace('\n', `,EUR,${cells}\n`));
  expect((line as { fee?: unknown }).fee).toEqual(fee);
});
