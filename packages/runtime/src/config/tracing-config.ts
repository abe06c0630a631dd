// The usual variables of OpenTelemetry for whether, where and how much is traced. The exporter itself reads those for
// the transport: headers, timeout, compression, certificates (OTEL_EXPORTER_OTLP_*).
import { z } from 'zod';

const endpoint = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional();
const protocol = z
  .literal('http/protobuf', 'must be http/protobuf, the only form that is sent')
  .optional()
  .meta({ fallback: 'http/protobuf' });

/** They are read first: when tracing is off, a wrong value in the other variables does not matter. */
export const TracingSwitch = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.describe(
    'The collector, e.g. `http://collector:4318`; traces go to `/v1/traces` under it. Without an endpoint nothing is traced.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.describe('The whole address for traces; it goes before the one above.'),
  OTEL_TRACES_EXPORTER: z
    .enum(['otlp', 'none'], 'must be otlp or none')
    .default('otlp')
    .describe('`none` turns traces off.'),
  OTEL_SDK_DISABLED: z
    .string()
    .default('false')
    .transform((value) => value.toLowerCase() === 'true')
    .describe('`true` turns traces off.')
    .meta({ fallback: 'false' }),
});

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const TracingConfig = z.object({
  ...TracingSwitch.shape,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.describe('How traces are sent.'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.describe('The same, for traces alone.'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, `must be one of ${samplers.join(', ')}`)
    .default('parentbased_always_on')
    .describe(`Which requests are traced: ${samplers.join(', ')}.`),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .default('1')
    .transform(Number)
    .refine((share) => share >= 0 && share <= 1, 'must be a number from 0 to 1')
    .describe('The share of the samplers that are called `traceidratio`, from 0 to 1.'),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .describe("The service's name in traces.")
    .meta({ fallback: "the program's" }),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .default('')
    .transform(parseAttributes)
    .describe('Further attributes of the service, e.g. `deployment.environment.name=prod`, comma-separated.')
    .meta({ fallback: '' }),
});
export type TracingConfig = z.output<typeof TracingConfig>;

function parseAttributes(value: string, context: z.RefinementCtx): Record<string, string> {
  const pairs = value.split(',').filter((pair) => pair.trim() !== '');
  try {
    return Object.fromEntries(pairs.map(parsePair));
  } catch {
    context.addIssue({ code: 'custom', message: 'must be name=value pairs, percent-encoded' });
    return z.NEVER;
  }
}

function parsePair(pair: string): [string, string] {
  const [name = '', value, ...rest] = pair.split('=').map((part) => decodeURIComponent(part.trim()));
  if (name === '' || value === undefined || rest.length > 0) throw new Error(pair);
  return [name, value];
}
