import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { StartError } from '../config/config.ts';
import { createLogger } from '../logging/logger.ts';
import { noTracing } from './port.ts';
import { startTracing } from './tracing.ts';

const log = createLogger({ service: 'test', level: 'silent' });
const start = (env: Record<string, string>) => startTracing({ service: 'test', env, log });
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };

it.each([
  [{}],
  [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
  [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  // When tracing is off, wrong values in the other variables do not matter.
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'jaeger_remote' }],
])('is off with %o', async (env) => {
  expect(await start(env)).toBe(noTracing);
});

it.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_TRACES_SAMPLER_ARG', 'much'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'a=b=c'],
])('names %s when it is %s', async (name, value) => {
  const starting = start({ ...ENDPOINT, [name]: value });
  await expect(starting).rejects.toThrow(StartError);
  await expect(starting).rejects.toThrow(new RegExp(`^${name} must be `));
});

describe('off', () => {
  /** Returns the packages of OpenTelemetry that a program has loaded after it started tracing with these variables. */
  async function loaded(env: Record<string, string>): Promise<string[]> {
    const program = `
      import { registerHooks } from 'node:module';
      const loaded = new Set();
      registerHooks({ resolve(from, context, next) {
        const found = next(from, context);
        const name = /node_modules.@opentelemetry.([a-z-]+)/.exec(found.url)?.[1];
        if (name) loaded.add(name);
        return found;
      } });
      const { createLogger, startTracing } = await import(${JSON.stringify(path.join(import.meta.dirname, '../index.ts'))});
      const log = createLogger({ service: 'test', level: 'silent' });
      await startTracing({ service: 'test', env: ${JSON.stringify(env)}, log });
      console.log(JSON.stringify([...loaded]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    return JSON.parse(stdout);
  }

  it("loads nothing of OpenTelemetry's SDK", async () => {
    // Only the interface is loaded, because prom-client uses it.
    expect(await loaded({})).toEqual(['api']);
    // This proves that `loaded` finds the packages.
    expect(await loaded(ENDPOINT)).toEqual(expect.arrayContaining(['sdk-trace', 'exporter-trace-otlp-proto']));
  });
});
