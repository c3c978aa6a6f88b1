// Switches traces and logs of OpenTelemetry on, as its own variables say; without them nothing of it is loaded.
import type { Config } from '#server/platform/config.ts';
import type { Log } from '#server/platform/log.ts';
import type { ServiceNames } from './opentelemetry.ts';
import { setTracer } from './telemetry.ts';

type OtelConfig = Pick<Config, 'otelDisabled' | 'otelEndpoint' | 'otelTraces' | 'otelLogs'>;

export type Telemetry = {
  /** Takes every line of the log as well; null: logs stay here. */
  readonly logLines: { write(line: string): void } | null;
  /** Has the log told when nothing arrives. */
  watch(log: Log): void;
  /** Sends what has not been sent. */
  close(): Promise<void>;
};

export async function openTelemetry(config: OtelConfig, names: ServiceNames): Promise<Telemetry> {
  const [hasTraces, hasLogs] = [config.otelTraces, config.otelLogs].map((exporter) => isOn(config, exporter));
  if (!hasTraces && !hasLogs) return { logLines: null, watch: () => undefined, close: async () => undefined };
  const { openLogs, openTraces, watchSending } = await import('./opentelemetry.ts');
  const traces = hasTraces ? openTraces(names) : null;
  const logs = hasLogs ? openLogs(names) : null;
  if (traces) setTracer(traces.tracer);
  return {
    logLines: logs,
    watch: (log) =>
      watchSending((reason) => log.warn({ reason, ...MENDED_BY }, 'nothing can be sent to OpenTelemetry')),
    close: async () => {
      setTracer(null);
      await Promise.allSettled([traces?.close(), logs?.close()]);
    },
  };
}

/** Data that is not sent is lost; the shop goes on. */
const MENDED_BY = {
  setting: 'OTEL_EXPORTER_OTLP_ENDPOINT',
  remedy: 'start the collector, or mend its address; traces and logs of this time are not sent later',
};

/**
 * An endpoint switches both on, `none` switches one of them off, and `otlp` alone means the endpoint of the standard.
 */
function isOn({ otelDisabled, otelEndpoint }: OtelConfig, exporter: string): boolean {
  if (otelDisabled.toLowerCase() === 'true' || exporter === 'none') return false;
  return exporter === 'otlp' || otelEndpoint !== '';
}
