import type { Observer } from '@landfall/bus';
import type { Logger } from '../logging/logger.ts';

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
