// Spans and lines as a collector gets them; nothing of it where it is not wanted.
import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { inspectConfig } from '#server/platform/config.ts';
import { createLog } from '#server/platform/log.ts';
import { openTelemetry } from './open-telemetry.ts';
import { newRequestId } from './request-id.ts';
import { beginRequest, currentRequestId, endRequest, runInside, setTracer, traced, tracedInside } from './telemetry.ts';

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code: number; message?: string };
};
type LogRecord = { traceId: string; severityNumber: number; body: { stringValue: string } };
type Sent = {
  resourceSpans?: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Span[] }[];
  }[];
  resourceLogs?: { scopeLogs: { logRecords: LogRecord[] }[] }[];
};

let collector: Server;
let url: string;
let sent: Sent[];
const NAMES = { version: '1.2.3', environment: 'demo', role: 'web' };

beforeAll(async () => {
  collector = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      sent.push(JSON.parse(body) as Sent);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterAll(() => void collector.close());
beforeEach(() => {
  sent = [];
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
});
afterEach(() => {
  vi.unstubAllEnvs();
  setTracer(null);
});

const configOf = (variables: Record<string, string>) => inspectConfig(variables).config;
const spans = () =>
  sent.flatMap(({ resourceSpans = [] }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans)),
  );
const records = () =>
  sent.flatMap(({ resourceLogs = [] }) =>
    resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap((one) => one.logRecords)),
  );

test('a request, what it calls and its line in the log have one number', async () => {
  const telemetry = await openTelemetry(configOf({ OTEL_EXPORTER_OTLP_ENDPOINT: url }), NAMES);
  const lines: string[] = [];
  const also = { write: (line: string) => void (lines.push(line), telemetry.logLines?.write(line)) };
  const log = createLog('info', also);
  const id = newRequestId();
  const work = beginRequest(id, 'POST /pay');
  let paying: Promise<unknown> | undefined;
  runInside(work, () => {
    log.warn({ password: 'hunter2' }, 'it is slow');
    paying = traced('adyen', 'client', { 'http.request.method': 'POST' }, () =>
      tracedInside('place_order', {}, async () => undefined),
    );
  });
  await paying;
  await tracedInside('lease_deliveries', {}, async () => undefined);
  endRequest(work, { 'http.response.status_code': 200 }, null);
  await expect(
    traced('hand over', 'internal', {}, () => Promise.reject(new Error('token=abc is wrong'))),
  ).rejects.toThrow('token=abc is wrong');
  await telemetry.close();

  const byName = new Map(spans().map((span) => [span.name, span]));
  expect([...byName.keys()].toSorted()).toEqual(['POST /pay', 'adyen', 'hand over', 'place_order']);
  const [root, call, statement, job] = ['POST /pay', 'adyen', 'place_order', 'hand over'].map((name) =>
    byName.get(name),
  );
  expect([root?.traceId, call?.traceId, statement?.traceId]).toEqual([id, id, id]);
  expect([root?.parentSpanId, call?.parentSpanId, statement?.parentSpanId]).toEqual([
    undefined,
    root?.spanId,
    call?.spanId,
  ]);
  expect(job?.traceId).not.toBe(id);
  expect(job?.status).toMatchObject({ code: 2, message: 'token=*** is wrong' });
  const { attributes = [] } = sent.flatMap(({ resourceSpans = [] }) => resourceSpans)[0]?.resource ?? {};
  expect(attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'refill-web' } });
  expect(records()).toMatchObject([{ traceId: id, severityNumber: 13, body: { stringValue: 'it is slow' } }]);
  expect(JSON.stringify(sent)).not.toContain('hunter2');
  expect(lines).toHaveLength(1);
  expect(currentRequestId()).toBeNull();
});

test.each<[string, Record<string, string>, boolean, boolean]>([
  ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, true, true],
  [
    'an endpoint, and no logs',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_LOGS_EXPORTER: 'none' },
    true,
    false,
  ],
  ['traces alone', { OTEL_TRACES_EXPORTER: 'otlp' }, true, false],
  ['nothing', {}, false, false],
  [
    'the switch for all',
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' },
    false,
    false,
  ],
])('%s switches on what it should', async (_name, variables, hasTraces, hasLogs) => {
  vi.stubEnv('OTEL_TRACES_SAMPLER', 'always_off');
  const telemetry = await openTelemetry(configOf(variables), NAMES);
  let around: string | null = null;
  await traced('job', 'internal', {}, async () => (around = currentRequestId()));
  expect([around !== null, telemetry.logLines !== null]).toEqual([hasTraces, hasLogs]);
  await telemetry.close();
});

test('a collector that is away is told in the log, once, and stops nothing', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:1');
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '200');
  const telemetry = await openTelemetry(configOf({ OTEL_TRACES_EXPORTER: 'otlp', OTEL_LOGS_EXPORTER: 'otlp' }), NAMES);
  const lines: string[] = [];
  telemetry.watch(createLog('info', { write: (line) => void lines.push(line) }));
  telemetry.logLines?.write(JSON.stringify({ level: 30, time: new Date().toISOString(), msg: 'sold' }));
  expect(await traced('job', 'internal', {}, async () => 7)).toBe(7);
  await telemetry.close();
  const warnings = lines.filter((line) => line.includes('nothing can be sent to OpenTelemetry'));
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: 40, reason: 'connect ECONNREFUSED 127.0.0.1:1', setting: 'OTEL_EXPORTER_OTLP_ENDPOINT' },
  ]);
});

test('a wrong value is one sentence', () => {
  const { findings } = inspectConfig({ OTEL_TRACES_EXPORTER: 'jaeger', OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' });
  expect(
    findings.filter(({ name }) => name.startsWith('OTEL_')).map(({ name, reason }) => `${name} ${reason}`),
  ).toEqual(['OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4318"', 'OTEL_TRACES_EXPORTER is "jaeger"']);
});

test('a shop loads none of its packages where it is not wanted', () => {
  const script = `await import('./server/serve/serve.ts');
    const loaded = [...process.moduleLoadList, ...Object.keys((await import('node:module')).default._cache ?? {})];
    console.log(loaded.filter((name) => /@opentelemetry.(?:sdk|exporter|otlp)/.test(name)).length);`;
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: process.cwd(),
    encoding: 'utf8',
  });
  expect(out.trim()).toBe('0');
});
