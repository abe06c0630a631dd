// Spans of requests, messages and handlers. Loaded only when tracing is on. Nothing global is registered, so that
// several instances can live in one test process.
import type { Handling, TraceHeaders } from '@landfall/bus';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { TracingConfig } from '../config/tracing-config.ts';
import type { Logger } from '../logging/logger.ts';
import type { Tracing, TracingOptions } from './port.ts';

export interface SpanOptions extends Omit<TracingOptions, 'env' | 'log'> {
  config?: TracingConfig;
  processor: SpanProcessor;
}

/** Milliseconds. A collector that does not answer must not delay a stop, which has nine seconds in all. */
const SHUTDOWN_WITHIN_MS = 2_000;

export function exportedTracing(
  options: Omit<SpanOptions, 'processor'> & { url: string; config: TracingConfig; log: Logger },
): Tracing {
  const exporter = told(new OTLPTraceExporter({ url: options.url }), options.log);
  return createTracing({ ...options, processor: new BatchSpanProcessor({ exporter }) });
}

export function createTracing(options: SpanOptions): Tracing {
  const { config = TracingConfig.parse({}), messaging = 'kafka' } = options;
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes(attributesOf(options, config))),
    sampler: samplerOf(config),
    spanProcessors: [options.processor],
  });
  const tracer = provider.getTracer('landfall');
  const contexts = new AsyncLocalStorageContextManager().enable();
  const propagator = new W3CTraceContextPropagator();
  const contextOf = (headers: TraceHeaders | object) => propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);

  async function within<T>(span: Span, parent: Context, work: () => Promise<T>): Promise<T> {
    try {
      return await contexts.with(trace.setSpan(parent, span), work);
    } catch (error) {
      // The span gets no message and no stack: errors of a database may quote stored data.
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  }

  return {
    traceHeaders() {
      const active = contexts.active();
      if (!trace.getSpanContext(active)) return undefined;
      const headers: Record<string, string> = {};
      propagator.inject(active, headers, defaultTextMapSetter);
      return headers;
    },

    sending(message, kind, send) {
      const active = contexts.active();
      const span = tracer.startSpan(
        `send ${message}`,
        {
          // A query or a command waits for its answer. An event is only handed over.
          kind: kind === 'event' ? SpanKind.PRODUCER : SpanKind.CLIENT,
          attributes: {
            'messaging.system': messaging,
            'messaging.operation.name': 'send',
            'messaging.operation.type': 'send',
            'landfall.message': message,
            'landfall.kind': kind,
          },
        },
        active,
      );
      return within(span, active, send);
    },

    handling(handling, traces, handle) {
      const senders = traces.map(contextOf);
      const sampled = senders.flatMap((sender) => {
        const context = trace.getSpanContext(sender);
        return context && context.traceFlags & TraceFlags.SAMPLED ? [context] : [];
      });
      const span = tracer.startSpan(
        `process ${handling.message}`,
        {
          kind: SpanKind.CONSUMER,
          attributes: { 'messaging.system': messaging, ...attributesOfHandling(handling) },
          links: sampled.map((context) => ({ context })),
        },
        parentOf(handling, senders, sampled.length),
      );
      return within(span, ROOT_CONTEXT, handle);
    },

    serving(request, serve) {
      const parent = contextOf(request.headers);
      const method = request.method ?? 'GET';
      const attributes = {
        'http.request.method': method,
        // The path is without the query, which may hold personal data.
        'url.path': (request.url ?? '/').split('?', 1)[0]!,
      };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      contexts.with(trace.setSpan(parent, span), () =>
        serve((route, status) => {
          span.updateName(`${method} ${route}`);
          span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        }),
      );
    },

    async shutdown() {
      await Promise.race([provider.shutdown().catch(() => {}), after(SHUTDOWN_WITHIN_MS)]);
    },
  };
}

function attributesOf(options: SpanOptions, config: TracingConfig): Record<string, string> {
  const given = config.OTEL_RESOURCE_ATTRIBUTES;
  return {
    ...(options.instance && { 'service.instance.id': options.instance }),
    ...given,
    'service.name': config.OTEL_SERVICE_NAME ?? given['service.name'] ?? options.service,
  };
}

const attributesOfHandling = ({ message, group, kind, size }: Handling) => ({
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
  'messaging.consumer.group.name': group,
  'messaging.batch.message_count': size,
  'landfall.message': message,
  'landfall.kind': kind,
});

/**
 * A batch of several messages begins a new trace, linked to those of its messages. A single message continues its
 * trace. A batch without a recorded trace continues that of its first message: a new one would be recorded each time.
 */
function parentOf({ size }: Handling, senders: readonly Context[], sampled: number): Context {
  const [first = ROOT_CONTEXT] = senders;
  return size === 1 || sampled === 0 ? first : ROOT_CONTEXT;
}

function samplerOf(config: TracingConfig): Sampler {
  const [, parentBased, name] = /^(parentbased_)?(.*)$/.exec(config.OTEL_TRACES_SAMPLER)!;
  const root =
    name === 'always_on'
      ? new AlwaysOnSampler()
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG);
  return parentBased ? new ParentBasedSampler({ root: linked(root) }) : root;
}

/** Records every span with links, because the linked traces are recorded: a share of 1 % would show 1 % of these. */
const linked = (root: Sampler): Sampler => ({
  shouldSample: (context, traceId, name, kind, attributes, links) =>
    links.length > 0
      ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
      : root.shouldSample(context, traceId, name, kind, attributes, links),
  toString: () => `Linked(${root})`,
});

const TELL_EVERY_MS = 60_000;

/** Logs a warning when it cannot send, at most once a minute. */
function told(exporter: SpanExporter, log: Logger): SpanExporter {
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans: ReadableSpan[], done: (result: ExportResult) => void) {
      exporter.export(spans, (result) => {
        if (result.code !== ExportResultCode.SUCCESS && performance.now() - toldAt > TELL_EVERY_MS) {
          toldAt = performance.now();
          log.warn({ err: result.error }, 'traces could not be sent');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());
