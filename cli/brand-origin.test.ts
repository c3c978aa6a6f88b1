// Tests the address that links of commands begin with: of the environment, never of the other one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Brand } from '#server/modules/configuration/service.ts';
import { originOf } from './brand-origin.ts';
import { InputFault, processTerminal } from './terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'refill-origin-'));
afterAll(() => rmSync(folder, { recursive: true }));

const brand = (...liveHosts: string[]) =>
  ({ key: 'watt', liveHosts, demoHosts: ['watt.demo.localhost', 'demo.watt.example'] }) as unknown as Brand;
const originIn = (environment: Record<string, string>, of = brand('pay.watt.example')) =>
  originOf({ ...processTerminal, environment }, of);

test('a demonstration has the port that it listens on, a live shop its own host', () => {
  expect(originIn({ REFILL_DATA: folder })).toBe('http://watt.demo.localhost:8080');
  writeFileSync(join(folder, 'run.json'), JSON.stringify({ launcher: {}, port: 18460, children: [] }));
  expect(originIn({ REFILL_DATA: folder })).toBe('http://watt.demo.localhost:18460');
  writeFileSync(join(folder, 'run.json'), '{"launch');
  expect(originIn({ REFILL_DATA: folder })).toBe('http://watt.demo.localhost:8080');
  expect(originIn({ REFILL_ENVIRONMENT: 'demo', PORT: '18460' })).toBe('http://watt.demo.localhost:18460');
  expect(originIn({ REFILL_ENVIRONMENT: 'live', PORT: '18460' })).toBe('https://pay.watt.example');
});

test('a brand without a live host gets no address of nowhere', () => {
  expect(() => originIn({ REFILL_ENVIRONMENT: 'live' }, brand())).toThrow(InputFault);
});
