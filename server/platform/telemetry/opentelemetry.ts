// Spans and log lines for OpenTelemetry. Loaded only where one of them is switched on; endpoint, headers, sampler,
// name and attributes of the service are read by the packages, from the variables of the standard.
import { HOUR_MS } from '#kernel/time.ts';
import {
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  diag,
  trace,
} from '@opentelemetry/api';
import { SeverityNumber } from '@opentelemetry/api-logs';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BasicTracerProvider, BatchSpanProcessor, RandomIdGenerator } from '@opentelemetry/sdk-trace-base';
import { maskSecrets } from '#server/platform/log.ts';
import type { Tracer } from './telemetry.ts';

export type ServiceNames = { readonly version: string; readonly environment: string; readonly role: string };

/** Names this service, unless OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES name it otherwise. */
function describeService({ environment, role, version }: ServiceNames) {
  const ours = resourceFromAttributes({
    'service.name': `refill-${role}`,
    'service.version': version,
    'deployment.environment.name': environment,
  });
  return defaultResource()
    .merge(ours)
    .merge(detectResources({ detectors: [envDetector] }));
}

/** Our choice: a collector that is away is told once, and again while it stays away: each line would have to be sent too. */
const REPORT_EVERY_MS = HOUR_MS;

/** @param tell hears at most once an hour why nothing arrives at the collector */
export function watchSending(tell: (reason: string) => void): void {
  let reportedAt = -Infinity;
  const report = (...parts: unknown[]) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = performance.now();
    tell(maskSecrets(parts.map((part) => readMessage(String(part))).join(' ')).slice(0, 500));
  };
  const nothing = () => undefined;
  const logger = { error: report, warn: report, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The packages write an error as JSON, with its stack. */
function readMessage(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    return typeof message === 'string' ? message : text;
  } catch {
    return text;
  }
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

export function openTraces(names: ServiceNames): { tracer: Tracer; close(): Promise<void> } {
  const random = new RandomIdGenerator();
  let wanted = '';
  const provider = new BasicTracerProvider({
    resource: describeService(names),
    // The number that page and log know is the trace's as well.
    idGenerator: { generateTraceId: () => wanted, generateSpanId: () => random.generateSpanId() },
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const own = provider.getTracer('refill');
  return {
    close: () => provider.shutdown(),
    tracer: {
      begin: ({ attributes, id, kind, name, parent }) => {
        wanted = id;
        const context = parent ? trace.setSpan(ROOT_CONTEXT, parent as Span) : ROOT_CONTEXT;
        return own.startSpan(name, { kind: KINDS[kind], attributes }, context);
      },
      end: (given, attributes, error) => {
        const span = given as Span;
        span.setAttributes(attributes);
        if (error)
          span.setStatus({
            code: SpanStatusCode.ERROR,
            message: maskSecrets(String((error as Error).message ?? error)),
          });
        span.end();
      },
    },
  };
}

/** By pino's numbers of levels. */
const SEVERITIES: Readonly<Record<number, SeverityNumber>> = {
  10: SeverityNumber.TRACE,
  20: SeverityNumber.DEBUG,
  30: SeverityNumber.INFO,
  40: SeverityNumber.WARN,
  50: SeverityNumber.ERROR,
  60: SeverityNumber.FATAL,
};

/** Takes lines of the log as they are written: without secrets already. */
export function openLogs(names: ServiceNames): { write(line: string): void; close(): Promise<void> } {
  const provider = new LoggerProvider({
    resource: describeService(names),
    processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
  });
  const logger = provider.getLogger('refill');
  return {
    close: () => provider.shutdown(),
    write: (line) => {
      const { level, msg, time, ...attributes } = JSON.parse(line) as { level: number; msg?: string; time: string };
      const { request } = attributes as { request?: string };
      logger.emit({
        timestamp: new Date(time),
        severityNumber: SEVERITIES[level] ?? SeverityNumber.UNSPECIFIED,
        body: msg ?? '',
        attributes,
        ...(request ? { context: contextOf(request) } : {}),
      });
    },
  };
}

/** Ties a line to its trace; which span of it wrote the line is not known. */
function contextOf(traceId: string) {
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId: traceId.slice(16), traceFlags: TraceFlags.SAMPLED });
}
