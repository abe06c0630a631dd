// Traces by OpenTelemetry, when the usual OTEL variables name a collector. Without a collector nothing of the SDK is
// loaded, and every method does almost nothing.
import type { Observer } from '@landfall/bus';
import { readConfig } from '../config/config.ts';
import { TracingConfig, TracingSwitch } from '../config/tracing-config.ts';
import type { Logger } from '../logging/logger.ts';

/** A request in the form of node:http. */
export interface TracedRequest {
  method?: string | undefined;
  url?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Called when a request is answered; the route is its pattern. */
export type Served = (route: string, status: number) => void;

export interface Tracing extends Pick<Observer, 'traceHeaders' | 'sending' | 'handling'> {
  /** Serves a request within a span. The span continues the trace of the request's `traceparent`. */
  serving(request: TracedRequest, serve: (served: Served) => void): void;
  /** Sends the remaining spans, for at most two seconds. Never rejects. */
  shutdown(): Promise<void>;
}

const nothing: Served = () => {};

export const noTracing: Tracing = {
  traceHeaders: () => undefined,
  sending: (_message, _kind, send) => send(),
  handling: (_handling, _traces, handle) => handle(),
  serving: (_request, serve) => serve(nothing),
  shutdown: async () => {},
};

export interface TracingOptions {
  /** The service's name, unless OTEL_SERVICE_NAME gives another. */
  service: string;
  instance?: string;
  /** The transport of messages: `messaging.system` of the spans. */
  messaging?: 'kafka' | 'in_process';
  /** The process's environment; only config.ts and main.ts files pass it. */
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
}

/** Starts tracing. Throws {@link StartError} when tracing is on and a variable is wrong. */
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
