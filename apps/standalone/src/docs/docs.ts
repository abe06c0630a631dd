// The parts of files that come from the code: the table of variables, and the settings in docker-compose.yml.
import { AnalyticsConfig } from '@landfall/analytics';
import { AttributionConfig } from '@landfall/attribution';
import { ConsoleConfig, ConsoleProcessConfig } from '@landfall/console';
import { GatewayConfig, ScaledOutConfig } from '@landfall/gateway';
import { LinkConfig } from '@landfall/link';
import { PushConfig } from '@landfall/push';
import { describeConfig, TracingConfig } from '@landfall/runtime';
import type { z } from 'zod';
import { StandaloneConfig } from '../config.ts';
import { code, table, withPart } from '../marks.ts';
import { withMessages } from './messages-doc.ts';
import { withMetrics } from './metrics-doc.ts';

const CONFIGURATION = 'docs/reference/configuration.md';
/** Each function returns the file with new parts, and throws when its marks are missing. */
export const generated: readonly (readonly [file: string, make: (before: string) => string])[] = [
  [CONFIGURATION, (page) => withPart(CONFIGURATION, page, 'configuration', configuration())],
  ['docker-compose.yml', withSettings],
  ['docs/reference/metrics.md', withMetrics],
  ['docs/reference/messages.md', withMessages],
];

const START_COMMAND = '`npm start`';
const programs: readonly (readonly [name: string, ...schemas: z.ZodObject[]])[] = [
  [START_COMMAND, GatewayConfig, ConsoleConfig, StandaloneConfig],
  ['gateway', GatewayConfig, ScaledOutConfig],
  ['console', ConsoleProcessConfig],
  ['link', LinkConfig],
  ['attribution', AttributionConfig],
  ['push', PushConfig],
  ['analytics', AnalyticsConfig],
];
const workers = ['link', 'attribution', 'push', 'analytics'];

/** Settings that docker-compose.yml gives its containers itself. Another value would break the others. */
const givenByCompose = [
  /^(PORT|METRICS_PORT|TRUST_PROXY|DRAIN_SECONDS|INSTANCE_ID|WEB_APP_DIR)$/,
  /^(HASH_SECRET|SEAL_SECRET|OWNER_TOKEN|OIDC_CLIENT_SECRET|DATABASE_URL|REDIS_URL)$/,
  /^(PUBLIC_URL|LINK_DOMAIN|API_HOSTS|KAFKA_BROKERS|KAFKA_TLS.*|KAFKA_SASL_.*)$/,
];
/** Variables of OpenTelemetry's exporter, which reads them itself. */
const exporter = ['HEADERS', 'TIMEOUT', 'COMPRESSION'].map((name) => `OTEL_EXPORTER_OTLP_${name}`);

function withSettings(file: string): string {
  const services = programs.filter(([name]) => name !== START_COMMAND);
  const settings = services.map(([service, ...schemas]) => {
    const names = [...schemas, TracingConfig].flatMap(describeConfig).map(({ name }) => name);
    const kept = names.filter((name) => !givenByCompose.some((given) => given.test(name)));
    return [service, [...kept, ...exporter]] as const;
  });
  const common = settings[0]![1].filter((name) => settings.every(([, names]) => names.includes(name)));
  const own = settings.map(
    ([service, names]) => [`${service}-settings`, names.filter((name) => !common.includes(name))] as const,
  );
  const maps = ([['settings', common], ...own] as const).map(([name, names]) =>
    [`x-${name}: &${name}`, ...names.map((one) => `  ${one}:`)].join('\n'),
  );
  return withPart('docker-compose.yml', file, 'settings', maps.join('\n'), ['# ', '']);
}

function configuration(): string {
  const variables = new Map<string, { readers: string[]; fallbacks: Set<string>; descriptions: Set<string> }>();
  for (const [program, ...schemas] of programs) {
    for (const { name, fallback, description } of schemas.flatMap(describeConfig)) {
      const variable = variables.get(name) ?? { readers: [], fallbacks: new Set(), descriptions: new Set() };
      variables.set(name, variable);
      if (!variable.readers.includes(program)) variable.readers.push(program);
      if (fallback !== '') variable.fallbacks.add(cell(fallback));
      variable.descriptions.add(description);
    }
  }
  const rows = [...variables].map(([name, { readers, fallbacks, descriptions }]) => [
    code(name),
    readersOf(readers),
    [...fallbacks].join('; '),
    [...descriptions].join(' '),
  ]);
  return table([['Variable', 'Read by', 'Default', 'Meaning'], ...rows]);
}

function readersOf(readers: readonly string[]): string {
  if (readers.length === programs.length) return 'all';
  const rest = readers.filter((reader) => !workers.includes(reader));
  return (readers.length - rest.length === workers.length ? [...rest, 'workers'] : readers).join(', ');
}

const cell = (fallback: string): string => (fallback.includes(' ') ? fallback : code(fallback));
