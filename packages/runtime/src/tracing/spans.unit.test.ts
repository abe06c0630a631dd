import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInProcessBus, type Handling, told } from '@landfall/bus';
import { Add, Added } from '@landfall/bus/testing';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { describe, expect, it, vi } from 'vitest';
import { TracingConfig } from '../config/tracing-config.ts';
import { createLogger } from '../logging/logger.ts';
import { createMetrics, createObserver } from '../metrics/metrics.ts';
import { createTracing, type SpanOptions } from './spans.ts';
import { startTracing } from './tracing.ts';

const log = createLogger({ service: 'test', level: 'silent' });

function traced(env: Record<string, string> = {}, options: Partial<SpanOptions> = {}) {
  const exporter = new InMemorySpanExporter();
  const tracing = createTracing({
    service: 'test',
    config: TracingConfig.parse(env),
    processor: new SimpleSpanProcessor({ exporter }),
    ...options,
  });
  const observer = createObserver(createMetrics({ service: 'test' }), tracing);
  const spans = () => exporter.getFinishedSpans();
  const named = (name: string) => spans().find((span) => span.name === name)!;
  return { tracing, observer, spans, named };
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const sent = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' };
const unsampled = { traceparent: `00-${TRACE}-${PARENT}-00` };
const anotherTrace = (n: number) => ({ traceparent: `00-${String(n).padStart(32, '0')}-${PARENT}-01` });

const batch = (size: number): Handling => ({
  message: 'CreateLink',
  group: 'link.commands',
  kind: 'command',
  size,
});

/**
 * Serves a request to a route that sends a query over the bus, as in the gateway. Resolves with the trace headers that
 * the query carries.
 */
function answered(
  { tracing, observer }: ReturnType<typeof traced>,
  headers: Record<string, string>,
  status = 200,
): Promise<unknown> {
  return new Promise((resolve) => {
    tracing.serving({ method: 'GET', url: '/api/links/get-by-slug?slug=secret', headers }, async (served) => {
      const carried = await observer.sending('ResolveLink', 'query', async () => observer.traceHeaders());
      served('/api/links/get-by-slug', status);
      resolve(carried);
    });
  });
}

describe('a request', () => {
  it('goes on the trace of its traceparent, under the pattern of its route, and what it sends is below it', async () => {
    const system = traced();
    const carried = await answered(system, sent);
    const served = system.named('GET /api/links/get-by-slug');
    const send = system.named('send ResolveLink');
    expect(served.kind).toBe(SpanKind.SERVER);
    expect(served.spanContext().traceId).toBe(TRACE);
    expect(served.parentSpanContext?.spanId).toBe(PARENT);
    expect(served.attributes).toEqual({
      'http.request.method': 'GET',
      'url.path': '/api/links/get-by-slug',
      'http.route': '/api/links/get-by-slug',
      'http.response.status_code': 200,
    });
    expect(send.kind).toBe(SpanKind.CLIENT);
    expect(send.parentSpanContext?.spanId).toBe(served.spanContext().spanId);
    expect(carried).toEqual({ traceparent: `00-${TRACE}-${send.spanContext().spanId}-01`, tracestate: 'vendor=1' });
  });

  it('begins a trace where it has none', async () => {
    const system = traced();
    await answered(system, { traceparent: 'nonsense' });
    const served = system.named('GET /api/links/get-by-slug');
    expect(served.parentSpanContext).toBeUndefined();
    expect(served.spanContext().traceId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('has failed when the answer is our fault', async () => {
    const system = traced();
    await answered(system, sent, 404);
    await answered(system, sent, 503);
    const codes = system.spans().filter((span) => span.kind === SpanKind.SERVER);
    expect(codes.map((span) => span.status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.ERROR]);
  });

  it('that its caller does not trace is not traced', async () => {
    const system = traced();
    const carried = await answered(system, unsampled);
    expect(system.spans()).toEqual([]);
    expect(carried).toEqual({ traceparent: expect.stringMatching(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`)) });
  });
});

describe('sending', () => {
  it('an event is a producer, and nothing is under way outside of it', async () => {
    const { observer, named } = traced();
    expect(observer.traceHeaders()).toBeUndefined();
    await observer.sending('LinkClicked', 'event', async () => {});
    expect(named('send LinkClicked').kind).toBe(SpanKind.PRODUCER);
    expect(named('send LinkClicked').attributes).toMatchObject({
      'messaging.operation.type': 'send',
      'messaging.operation.name': 'send',
      'messaging.system': 'kafka',
    });
  });

  it('that fails says with what, and quotes no message', async () => {
    const { observer, named } = traced();
    const failing = observer.sending('CreateLink', 'command', async () => {
      throw new TypeError('person@example.com');
    });
    await expect(failing).rejects.toThrow('person@example.com');
    const span = named('send CreateLink');
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    expect(span.attributes['error.type']).toBe('TypeError');
    expect(JSON.stringify([span.attributes, span.events])).not.toContain('person');
  });
});

describe('handling', () => {
  it('one message goes on its trace, and what the handler sends is below it', async () => {
    const { observer, named } = traced();
    await observer.handling(batch(1), [sent], () => observer.sending('LinkCreated', 'event', async () => {}));
    const span = named('process CreateLink');
    expect(span.kind).toBe(SpanKind.CONSUMER);
    expect(span.spanContext().traceId).toBe(TRACE);
    expect(span.parentSpanContext?.spanId).toBe(PARENT);
    expect(span.links.map(({ context }) => [context.traceId, context.spanId])).toEqual([[TRACE, PARENT]]);
    expect(span.attributes).toEqual({
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.consumer.group.name': 'link.commands',
      'messaging.batch.message_count': 1,
      'landfall.message': 'CreateLink',
      'landfall.kind': 'command',
    });
    expect(named('send LinkCreated').parentSpanContext?.spanId).toBe(span.spanContext().spanId);
  });

  it('a batch is a trace of its own with links to those of its messages', async () => {
    const { observer, named } = traced();
    await observer.handling(batch(3), [anotherTrace(1), anotherTrace(2)], async () => {});
    const span = named('process CreateLink');
    expect(span.parentSpanContext).toBeUndefined();
    expect(span.links.map(({ context }) => Number(context.traceId))).toEqual([1, 2]);
    expect(span.attributes['messaging.batch.message_count']).toBe(3);
  });

  it('a batch is traced when one of its messages is, and linked to that one, whatever the share', async () => {
    const share = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const { observer, spans } = traced(share);
    await observer.handling(batch(2), [unsampled, anotherTrace(7)], async () => {});
    expect(spans().map(({ links }) => links.map(({ context }) => Number(context.traceId)))).toEqual([[7]]);
    await observer.handling(batch(2), [], async () => {});
    expect(spans()).toHaveLength(1);
  });

  it('a batch of messages that nobody traces is not traced, nor what its handler sends', async () => {
    const { observer, spans } = traced();
    const send = () => observer.sending('LinkCreated', 'event', async () => observer.traceHeaders());
    const carried = await observer.handling(batch(2), [unsampled, unsampled], send);
    expect(carried?.traceparent).toMatch(/-00$/);
    expect(spans()).toEqual([]);
  });
});

it('over the bus in one process a request, its ask, the handler, its event and the listener are one trace', async () => {
  const { observer, tracing, spans } = traced({}, { messaging: 'in_process' });
  const bus = createInProcessBus({ log, observer });
  bus.answer(Add, async (batch) => batch.map(({ data }) => ({ reply: { sum: 0 }, events: [told(Added, data)] })));
  bus.listen('counting', Added, async () => {});
  await bus.start();
  await new Promise<void>((resolve) =>
    tracing.serving({ method: 'POST', url: '/', headers: sent }, async (served) => {
      await bus.ask(Add, { n: 1 });
      served('/add', 200);
      resolve();
    }),
  );
  await bus.stop();
  const byId = new Map(spans().map((span) => [span.spanContext().spanId, span.name]));
  const parents = spans().map((span) => [span.name, byId.get(span.parentSpanContext?.spanId ?? '')]);
  expect(new Set(spans().map((span) => span.spanContext().traceId))).toEqual(new Set([TRACE]));
  expect(Object.fromEntries(parents)).toMatchObject({
    'POST /add': undefined,
    'send Add': 'POST /add',
    'process Add': 'send Add',
  });
  expect(parents.map(([name]) => name)).toContain('process Added');
});

it.each([
  ['always_off', '1', 0],
  ['always_on', '1', 1],
  ['traceidratio', '0', 0],
  ['traceidratio', '1', 1],
  ['parentbased_always_off', '1', 0],
])('OTEL_TRACES_SAMPLER=%s with %s', async (sampler, arg, expected) => {
  const { observer, spans } = traced({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg });
  await observer.sending('LinkClicked', 'event', async () => {});
  expect(spans()).toHaveLength(expected);
});

it('spans belong to the service that the variables name', async () => {
  const { observer, named } = traced(
    { OTEL_SERVICE_NAME: 'links', OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod,team=a%2Cb' },
    { instance: 'gateway-1' },
  );
  await observer.sending('LinkClicked', 'event', async () => {});
  expect(named('send LinkClicked').resource.attributes).toMatchObject({
    'service.name': 'links',
    'service.instance.id': 'gateway-1',
    'deployment.environment.name': 'prod',
    team: 'a,b',
  });
});

describe('the export', () => {
  async function collector(status: number) {
    const received: { url?: string; type?: string; bytes: number }[] = [];
    const server = createServer((req, res) => {
      let bytes = 0;
      req.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      req.on('end', () => {
        received.push({ url: req.url, type: req.headers['content-type'], bytes });
        res.writeHead(status).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = () => new Promise((resolve) => server.close(resolve));
    return { received, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '', '/v1/traces'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '/otlp/', '/otlp/v1/traces'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', '/mine', '/mine'],
  ])('to %s %s goes as protobuf to %s', async (variable, path, expected) => {
    const { received, close, url } = await collector(200);
    const tracing = await startTracing({ service: 'test', env: { [variable]: url + path }, log });
    await tracing.sending('LinkClicked', 'event', async () => {});
    await tracing.shutdown();
    await close();
    expect(received).toEqual([{ url: expected, type: 'application/x-protobuf', bytes: expect.any(Number) }]);
    expect(received[0]!.bytes).toBeGreaterThan(100);
  });

  it('to a collector that refuses says so once, and nobody else notices', async () => {
    const { close, url } = await collector(400);
    const warn = vi.spyOn(log, 'warn');
    const tracing = await startTracing({ service: 'test', env: { OTEL_EXPORTER_OTLP_ENDPOINT: url }, log });
    // 600 spans are more than one batch.
    for (let i = 0; i < 600; i++) await tracing.sending('LinkClicked', 'event', async () => {});
    await tracing.shutdown();
    await close();
    expect(warn.mock.calls.map(([, sentence]) => sentence)).toEqual(['traces could not be sent']);
  });
});
