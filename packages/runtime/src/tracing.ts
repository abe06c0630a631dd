// Traces by OpenTelemetry, when the usual OTEL variables name a collector. Without one nothing of the SDK is even
// loaded, and every method does as good as nothing.
import type { Observer } from '@landfall/bus';
import { readConfig } from './config.ts';
import type { Logger } from './logger.ts';
import { TracingConfig, TracingSwitch } from './tracing-config.ts';

/** A request as node:http gives it. */
export interface TracedRequest {
  method?: string | undefined;
  url?: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Called when a request is answered; the route is its pattern. */
export type Served = (route: string, status: number) => void;

export interface Tracing extends Pick<Observer, 'traceHeaders' | 'sending' | 'handling'> {
  /** Serves a request within a span, which goes on the trace of the request's `traceparent`. */
  serving(request: TracedRequest, serve: (served: Served) => void): void;
  /** Sends what is still here, for two seconds at the most. Never rejects. */
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
  version?: string;
  instance?: string;
  /** What carries messages: `messaging.system` of the spans. */
  messaging?: 'kafka' | 'in_process';
  /** The process's environment; only config.ts and main.ts files hand it over. */
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
}

/** Throws {@link StartError} when traces are to be sent and a variable is wrong. */
export async function startTracing({ env, log, ...options }: TracingOptions): Promise<Tracing> {
  const url = tracesUrl(env);
  if (url === undefined) return noTracing;
  const config = readConfig(TracingConfig, env);
  const { exportedTracing } = await import('./spans.ts');
  log.info({ url: new URL(url).origin }, 'traces are sent');
  return exportedTracing({ ...options, url, config, log });
}

/** Where traces go; undefined when they are off. */
function tracesUrl(env: TracingOptions['env']): string | undefined {
  const config = readConfig(TracingSwitch, env);
  if (config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === 'none') return undefined;
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  return whole ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
}
