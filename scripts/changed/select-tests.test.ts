import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { selectTests } from './select-tests.ts';

const root = join(import.meta.dirname, '..', '..');
const glob = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (path) => /node_modules|^\.data|fixtures/.test(path) });
const known = {
  tests: [...glob('{server,web,cli,scripts,testing,kernel,e2e}/**/*.test.{ts,tsx}')],
  flows: glob('e2e/*.e2e.ts').map((path) => path.replace(/^e2e\/(.+)\.e2e\.ts$/, '$1')),
};

test.each([
  [
    'server/modules/orders/sql/place_order.sql',
    [
      'server/modules/orders/store.test.ts',
      'server/platform/database/schema/schema.test.ts',
      'testing/dumps/upgrade.test.ts',
    ],
    ['purchase'],
  ],
  [
    'server/modules/coupons/sql/take_coupon.sql',
    ['server/modules/coupons/', 'server/modules/orders/doors.test.ts', 'server/platform/database/schema/laws.test.ts'],
    ['coupons'],
  ],
  ['migrations/0009-new.sql', ['server/platform/database/tables.test.ts', 'testing/dumps/upgrade.test.ts'], []],
  ['messages/de.json', ['scripts/messages.test.ts'], []],
  ['brands/watt/brand.yaml', ['server/modules/configuration/shipped.test.ts'], []],
  ['deploy/prometheus/refill-alerts.yml', ['cli/metrics.test.ts', 'scripts/rehearsal/deploy-files.test.ts'], []],
  ['docs/settings.md', ['cli/settings.test.ts', 'testing/documents.test.ts'], []],
  ['web/features/catalogue/goods.css', ['web/features/catalogue/'], ['fits']],
  ['web/features/coupons/list.tsx', [], ['coupons']],
  ['e2e/login.e2e.ts', [], ['login']],
  ['server/modules/orders/placing/place-order.ts', [], ['purchase']],
  ['web/features/accounts/login.tsx', [], ['login']],
  ['cli/templates/shop/package.json.template', ['cli/new.test.ts'], []],
])('%s runs what it touches', (path, tests, flows) => {
  const selected = selectTests([path], known);
  for (const wanted of tests) expect(selected.tests.filter((one) => one.startsWith(wanted))).not.toEqual([]);
  expect(selected.flows).toEqual(expect.arrayContaining(flows));
  expect(selected.untested).toEqual([]);
  // A part, never everything.
  expect(selected.tests.length).toBeLessThan(known.tests.length / 3);
});

test('every rule leads to tests that there are', () => {
  const paths = [
    'server/modules/vip/sql/a.sql',
    'messages/a.json',
    'brands/a',
    '.oxlintrc.json',
    'deploy/a',
    'README.md',
  ];
  for (const path of paths) expect([path, selectTests([path], known).tests.length > 0]).toEqual([path, true]);
});

test('what nothing tests is told', () => {
  const changed = ['LICENSE', 'games/emberfall/assets/art.png', 'kernel/money.ts'];
  expect(selectTests(changed, known).untested).toEqual(['LICENSE']);
});

test('every noun of the storefront leads to a flow that there is', () => {
  const nouns = glob('web/features/*/').map((path) => path.split('/')[2] ?? '');
  const without = nouns.filter((noun) => selectTests([`web/features/${noun}/a.tsx`], known).flows.length === 0);
  // Walked by no flow of their own: their tests are beside them.
  expect(without.toSorted()).toEqual(['banner', 'reports']);
});
