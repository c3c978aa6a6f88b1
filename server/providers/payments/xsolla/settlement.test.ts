import { expect, test } from 'vitest';
import type { SettlementLine } from '#server/modules/payments/provider.ts';
import { readSettlement } from './settlement.ts';

const HEAD =
  'Transaction ID;External ID;Date (GMT+3);Transaction status;Simple checkout purchase amount;Simple checkout ' +
  'purchase currency;Refund reason\n';
const row = (
  status: string,
  amount: string,
  over: { currency?: string; time?: string; id?: string; reason?: string } = {},
) =>
  `${over.id ?? '700'};R-1;${over.time ?? '2026-11-21 01:05:09'};${status};${amount};${over.currency ?? 'USD'};${over.reason ?? ''}\n`;

async function read(text: string): Promise<SettlementLine[]> {
  const lines: SettlementLine[] = [];
  async function* pieces() {
    for (let at = 0; at < text.length; at += 37) yield text.slice(at, at + 37);
  }
  for await (const line of readSettlement(pieces())) lines.push(line);
  return lines;
}

test.each([
  ['done', '4.99', '', 'payment', 499],
  ['canceled', '4.99', '', 'payment', 499],
  ['canceled', '-4.99', 'Cancellation by the user', 'refund', 499],
  ['canceled', '-4.9', 'Chargeback', 'chargeback', 490],
])('%s %s %s', async (status, amount, reason, movement, amountMinor) => {
  expect(await read(HEAD + row(status, amount, { reason }))).toEqual([
    {
      kind: 'money',
      line: 2,
      movement,
      reference: 'R-1',
      captureRef: '700',
      amount: { amountMinor, currency: 'USD' },
      at: Date.parse('2026-11-20T22:05:09Z'),
    },
  ]);
});

test('tries that brought no money and the line of totals are left out; dates of both forms are read', async () => {
  const text = row('error', '4.99') + row('processing', '4.99') + row('', '9.98', { id: 'Total' });
  expect(await read(HEAD + text + row('done', '120', { currency: 'JPY', time: '21.11.2026 01:05' }))).toMatchObject([
    { line: 5, amount: { amountMinor: 120, currency: 'JPY' }, at: Date.parse('2026-11-20T22:05:00Z') },
  ]);
});

test.each([
  ['an amount with a comma', row('done', '4,99')],
  ['a currency we never charge', row('done', '4.99', { currency: 'XXX' })],
  ['no time', row('done', '4.99', { time: 'Saturday' })],
  ['a day that there is not', row('done', '4.99', { time: '2026-02-30 01:05:09' })],
])('%s is a line that cannot be read', async (_name, text) => {
  expect(await read(HEAD + text)).toMatchObject([{ kind: 'unreadable', line: 2 }]);
});

test('the zone of the head may have minutes', async () => {
  expect(await read(HEAD.replace('GMT+3', 'GMT-3:30') + row('done', '4.99'))).toMatchObject([
    { at: Date.parse('2026-11-21T04:35:09Z') },
  ]);
});

test('a file without the columns is refused by the first one that is missing', async () => {
  await expect(read('a;b\n1;2\n')).rejects.toThrow('no column "Date (GMT+3)"');
  await expect(read(HEAD.replace('External ID', 'Else'))).rejects.toThrow('no column "external id"');
});
