import { expect, test } from 'vitest';
import { tellOutdated, tellVulnerabilities } from './audit.ts';

test('the worst is told first, with its reason and whether there is a fix', () => {
  const found = {
    low: { name: 'low', severity: 'low', range: '<1.0.1', fixAvailable: false, via: ['deep'] },
    bad: {
      name: 'bad',
      severity: 'critical',
      range: '*',
      fixAvailable: true,
      via: [{ title: 'Runs anything', url: 'https://advisory.test/1' }],
    },
  };
  expect(tellVulnerabilities({ vulnerabilities: found })).toEqual([
    'critical  bad *: Runs anything https://advisory.test/1 (a fixed version exists)',
    'low       low <1.0.1: through deep',
  ]);
  expect(tellVulnerabilities({ vulnerabilities: {} })).toEqual([
    'Nothing is known against the packages that run in production.',
  ]);
});

test('a registry that says no, or nothing, is told and is no failure', () => {
  expect(tellVulnerabilities({ message: 'request to https://registry.test failed' })).toEqual([
    'The registry could not be asked: request to https://registry.test failed.',
  ]);
  expect(tellVulnerabilities(null)).toEqual(['The registry could not be asked: no answer.']);
});

test('what is out beside what is here', () => {
  expect(tellOutdated({ pg: { current: '8.1.0', wanted: '8.1.0', latest: '9.0.0' } })).toEqual([
    'pg: 8.1.0 here, 9.0.0 is out',
  ]);
  expect(tellOutdated(null)).toEqual([]);
});
