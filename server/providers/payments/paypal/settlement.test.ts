import { expect, test } from 'vitest';
import type { SettlementLine } from '#server/modules/payments/provider.ts';
import { readSettlement } from './settlement.ts';

const HEAD = `"RH","2026/11/22 03:10:00 -0800","A","MERCHANT","011","1"
"CH","Transaction ID","Invoice ID","PayPal Reference ID","PayPal Reference ID Type","Transaction Event Code","Transaction Initiation Date","Transaction Completion Date","Transaction Debit or Credit","Gross Transaction Amount","Gross Transaction Currency","Fee Debit or Credit","Fee Amount","Fee Currency","Custom Field","Consumer ID"
`;
const row = (
  id: string,
  ref: string,
  code: string,
  sign: string,
  amount: string,
  currency: string,
  custom = 'R-1',
  time = '2026/11/21 08:17:22 -0800',
) =>
  `"SB","${id}","INV-1","${ref}","TXN","${code}","${time}","${time}","${sign}","${amount}","${currency}","DR","30","USD","${custom}",""\n`;

async function read(text: string): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = [];
  // In pieces, as a file comes: lines and quotation marks are cut anywhere.
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 37) yield bytes.subarray(at, at + 37);
  }
  for await (const line of readSettlement(pieces())) lines.push(line);
  return lines;
}

test('payments, refunds and chargebacks are read with their fee; lines of fees, holds and totals are not', async () => {
  const lines = await read(
    `\uFEFF${HEAD}${row('T1', '', 'T0006', 'CR', '499', 'USD')}${row('T2', 'T1', 'T1107', 'DR', '499', 'USD')}${row('T3', 'T1', 'T1201', 'DR', '12000', 'JPY', '')}${row('T4', 'T1', 'T1202', 'CR', '5', 'USD')}${row('T5', '', 'T0113', 'DR', '99', 'USD')}"SF","USD","1","2"\n"RC","5"\n`,
  );
  const at = Date.parse('2026-11-21T16:17:22Z');
  const base = { kind: 'money', at, reference: 'R-1', fee: { amountMinor: 30, currency: 'USD' } };
  expect(lines).toEqual([
    { ...base, line: 3, movement: 'payment', captureRef: 'T1', amount: { amountMinor: 499, currency: 'USD' } },
    { ...base, line: 4, movement: 'refund', captureRef: 'T1', amount: { amountMinor: 499, currency: 'USD' } },
    {
      ...base,
      line: 5,
      movement: 'chargeback',
      reference: 'INV-1',
      captureRef: 'T1',
      amount: { amountMinor: 12000, currency: 'JPY' },
    },
    { ...base, line: 6, movement: 'chargeback', captureRef: 'T1', amount: { amountMinor: -5, currency: 'USD' } },
  ]);
});

test.each([
  ['a currency we never charge', row('T1', '', 'T0006', 'CR', '499', 'XXX')],
  ['an amount with a point', row('T1', '', 'T0006', 'CR', '4.99', 'USD')],
  ['no time', row('T1', '', 'T0006', 'CR', '499', 'USD', 'R-1', 'yesterday')],
])('%s is a line that cannot be read', async (_name, text) => {
  expect(await read(HEAD + text)).toMatchObject([{ kind: 'unreadable', line: 3 }]);
});

test('cut quotation marks end the reading, they do not end it early', async () => {
  await expect(read(`${HEAD}${row('T1', '', 'T0006', 'CR', '499', 'USD')}"SB","T2`)).rejects.toThrow(/quote/i);
});

test('a fee that was given back is below zero, and none is no zero', async () => {
  const back = row('T2', 'T1', 'T1107', 'DR', '499', 'USD').replace('"DR","30","USD"', '"CR","30","USD"');
  const none = row('T3', '', 'T0006', 'CR', '499', 'USD').replace('"DR","30","USD"', '"","",""');
  const [given, without] = await read(HEAD + back + none);
  expect(given).toMatchObject({ fee: { amountMinor: -30, currency: 'USD' } });
  expect(without).not.toHaveProperty('fee');
});
