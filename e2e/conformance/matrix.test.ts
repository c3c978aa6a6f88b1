// The table of `npm run conformance`: what it counts, what it shows, and that nothing that failed is hidden by it.
import { expect, test } from 'vitest';
import { drawConformance, readConformance } from './kit/matrix.ts';

const result = (provider: string | null, title: string, status = 'passed', failureMessages: string[] = []) => ({
  ancestorTitles: provider === null ? [] : [provider],
  title,
  status,
  failureMessages,
});
const reportOf = (...assertionResults: ReturnType<typeof result>[]) => ({
  testResults: [{ status: 'passed', assertionResults }],
});

const found = readConformance(
  reportOf(
    result(null, 'every declaration belongs to a provider'),
    result('adyen', 'create'),
    result('adyen', 'cancel'),
    result('naver', 'create', 'failed', [
      'AssertionError: \u001B[31mexpected 1\u001B[39m\nwas 2\n    at x.ts:1\n\n- y\n+ z\n  too much',
    ]),
    result('naver', 'cancel: not applicable. A reservation cannot be called back.'),
    result('naver', 'query breaks', 'skipped'),
  ),
);

test('counts what passed, fell away and failed; a case that did not run is a failure', () => {
  expect(found).toMatchObject({ passed: 3, notApplicable: 1, failed: 2 });
  expect(found.failures).toEqual([
    'naver: create\n    AssertionError: expected 1\n    was 2\n    - y\n    + z',
    'naver: query breaks\n    it was skipped',
  ]);
});

test('draws cases by providers, then reasons, then failures', () => {
  expect(drawConformance(found, 80)).toBe(
    `
              adyen   naver
create        ok      FAILED
cancel        ok      n.a.
query breaks  -       FAILED

Not applicable (n.a.), with the reason:
  A reservation cannot be called back.
    naver: cancel

Failed:
  naver: create
    AssertionError: expected 1
    was 2
    - y
    + z
  naver: query breaks
    it was skipped`.slice(1),
  );
});

test('a table that is too wide goes on below itself', () => {
  const blocks = drawConformance(found, 25).split('\n\n');
  expect(blocks.slice(0, 2).map((block) => block.split('\n')[0]?.trim())).toEqual(['adyen', 'naver']);
});

test('a file that did not load is a failure', () => {
  const broken = readConformance({
    testResults: [{ status: 'failed', message: 'no such module', assertionResults: [] }],
  });
  expect(broken).toMatchObject({ failed: 1, failures: ['no such module'] });
});
