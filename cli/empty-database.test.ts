// Every command that reads tables, on a database that has none: one sentence says so. Only `apply` makes them.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { createEmptyDatabase } from '#testing/database.ts';
import { runCommand } from './test-run.ts';

let url: string;
let folder: string;

beforeAll(async () => {
  const database = await createEmptyDatabase();
  ({ url } = database);
  folder = await mkdtemp(join(tmpdir(), 'refill-empty-'));
  await writeFile(join(folder, 'numbers'), 'pay-1\n');
  await writeFile(join(folder, 'password'), 'secret-of-the-test\n');
  return async () => {
    await rm(folder, { recursive: true });
    await database.drop();
  };
});

const PLAYER = '--brand watt --player kestrel';
const ORDER = '01JD5Q8G7X0000000000000000';

const COMMANDS = [
  'revisions',
  'revisions show 1',
  'rollback 1 --yes',
  'backup --to FOLDER/copies',
  'backup --elsewhere pgBackRest --bytes 5',
  `archive read ${ORDER}`,
  'archive --before 2025-01 --to FOLDER/months',
  `order show ${ORDER}`,
  'order find --brand watt',
  `order redeliver ${ORDER}`,
  `order refund ${ORDER}`,
  `order confirm-payment ${ORDER} --reference pay-1`,
  'order review --list',
  `order review ${ORDER} --deliver`,
  `order cancel ${ORDER}`,
  `order adopt ${ORDER}-1 --provider stripe --amount USD=1.00 --brand watt --player kestrel --client 1 --product p`,
  'order deadletters',
  'order acknowledge stripe key --reason seen',
  'callbacks replay',
  'code list --brand watt',
  'code report --brand watt',
  `coupon issue ${PLAYER} --rate 0.9 --name Ten`,
  `coupon list ${PLAYER}`,
  `coupon withdraw CODE ${PLAYER}`,
  'vip levels --brand watt',
  `vip show ${PLAYER}`,
  `vip points ${PLAYER} --give 5 --reason gift`,
  `player age ${PLAYER} --reason asked --birth 2000-01`,
  `player real-name ${PLAYER} --reason asked --erase`,
  `player show ${PLAYER}`,
  'person export kestrel --brand watt --out FOLDER/person.json',
  'person erase kestrel --brand watt --yes',
  'event list',
  'event rewards',
  'event retry 01JD5Q8G7X0000000000000000',
  'offer list',
  'offer show weekly',
  `offer give ${PLAYER} --game starlane --product p --price USD=1.00 --hours 5 --id once`,
  `offer withdraw CODE ${PLAYER}`,
  'card issue --count 2 --value USD=5.00 --out FOLDER/cards.csv',
  'card activate --batch 1',
  'card void --batch 1',
  'card unlock 1234567890123456',
  'card report',
  'card extend --batch 1 --until 2030-01-01T00:00:00Z',
  'card list',
  'card show 1234567890123456',
  'replenish open --brand watt --client 1 --player kestrel --amount USD=1.00 --reason chargeback',
  `replenish close RP-${ORDER}`,
  'replenish list',
  'replenish report',
  `wallet credit ${PLAYER} --amount USD=1.00 --reason gift`,
  `wallet show ${PLAYER}`,
  'wallet report',
  'account add --brand watt --name kestrel --user-id 5',
  `account password ${PLAYER}`,
  `account disable ${PLAYER}`,
  `account enable ${PLAYER}`,
  `account end-sessions ${PLAYER}`,
  'beta issue --brand watt --label office',
  'beta list --brand watt',
  'beta revoke 1 --brand watt',
  'invariants',
  'invariants --changed',
  'reconcile --provider adyen --date 2026-01-01',
  'reconcile --game starlane',
  'recover --since 2026-01-01T00:00:00Z --plan',
  'tracking export --brand watt',
  'report revenue',
  'report refunds',
  'report chargebacks',
  'report fees',
  'report revenue --brand watt',
  'report errors',
  'webhooks add https://example.com/hook',
  'webhooks list',
  'webhooks remove 1',
  'webhooks enable 1',
  'webhooks rotate 1',
  'webhooks test 1',
  'webhooks deliveries 1',
  'webhooks replay 1 --message 1',
  'key create finance --scopes read',
  'key list',
  'key revoke 1',
];

test.each(COMMANDS)('%s says that the database has no tables', async (words) => {
  const args = words.replaceAll('FOLDER', folder).split(' ');
  const { code, err } = await runCommand(args, {
    DATABASE_URL: url,
    REFILL_WALLET_DEMO_CREDIT_KEY: 'a-key-of-the-test-that-is-long-enough',
    REFILL_CARD_DEMO_PEPPER: 'a-pepper-that-nobody-may-ever-see',
    REFILL_KEY_SECRETS: 'a-key-secret-of-the-shop-0123456789',
  });
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/ has no tables of Refill: run apply first,/) });
});

test('a backup of no tables leaves no folder behind', async () => {
  await runCommand(['backup', '--to', join(folder, 'never')], { DATABASE_URL: url });
  expect(existsSync(join(folder, 'never'))).toBe(false);
});
