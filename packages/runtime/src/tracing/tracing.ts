// Traces by OpenTelemetry, when the usual OTEL variables name a collector. Without a collector nothing of the SDK is
// loaded, and every method does almost nothing.
import { readConfig } from '../config/config.ts';
import { TracingConfig, TracingSwitch } from '../config/tracing-config.ts';
import { noTracing, type Tracing, type TracingOptions } from './port.ts';

/** Throws {@link StartError} when tracing is on and a variable is wrong. */
export async function startTracing({ env, log, ...options }: TracingOptions): Promise<Tracing> {
  const url = tracesUrl(env);
  if (url === undefined) return noTracing;
  const config = readConfig(TracingConfig, env);
  const { exportedTracing } = await import('./spans.ts');
  log.info({ url: new URL(url).origin }, 'traces are sent');
  return exportedTracing({ ...options, url, config, log });
}

function tracesUrl(env: TracingOptions['env']): string | undefined {
  const config = readConfig(TracingSwitch, env);
  if (config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return undefined;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  return whole ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
}
