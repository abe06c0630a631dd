// Doctor's settings: variables of the services, and files that programs on this machine write while they run.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { HttpConfig } from '@landfall/http/config';
import { databaseUrl, integer, KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
import { type Finding, fail } from '../finding.ts';
import { passwordsOf } from '../scrub.ts';

export type Setup = ReturnType<typeof readSetup>;

export interface SetupOptions {
  gateways?: readonly string[];
  processes?: readonly string[];
  resolver?: string | undefined;
  ca?: string | undefined;
  patience?: number;
  /** Whether to look again at what failed, which is the default. */
  again?: boolean;
}

/** The variables that doctor reads in addition to those of Kafka. It reads them as the services do. */
export const DoctorConfig = z.object({
  LANDFALL_DATA: z.string().default('.landfall'),
  PORT: integer(0, 65_535).optional(),
  DATABASE_URL: databaseUrl().optional().meta({ secret: true }),
  ...HttpConfig.pick({ REDIS_URL: true, PUBLIC_URL: true, LINK_DOMAIN: true }).shape,
  HASH_SECRET: HttpConfig.shape.HASH_SECRET.optional().meta({ secret: true }),
  OWNER_TOKEN: z.string().optional().meta({ secret: true }),
  /** An owner token other than the token that the console was given. */
  LANDFALL_TOKEN: z.string().optional().meta({ secret: true }),
  LANDFALL_LOCALHOST: z
    .string()
    .regex(/^[a-z0-9.-]+(?::\d{1,5})?$/, 'must be a host, with a port')
    .optional(),
});

export function readSetup(env: NodeJS.ProcessEnv, options: SetupOptions = {}) {
  const faults: Finding[] = [];
  const config = readEach(DoctorConfig, env, faults);
  const { LANDFALL_DATA: folder, DATABASE_URL, REDIS_URL, PUBLIC_URL, LINK_DOMAIN, HASH_SECRET } = config;
  const scaledOut = Boolean(env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE);
  const running = scaledOut ? undefined : stackIn(folder);
  const files = running ? path.join(folder, 'stack') : folder;
  const kept = (name: string) => (scaledOut ? undefined : fileIn(files, name));
  const kafkaEnv = running
    ? { ...env, KAFKA_BROKERS: running.brokers.join(), KAFKA_BROKERS_FILE: '', KAFKA_PREFIX: running.prefix }
    : env;

  const setup = {
    how: running ? 'npm run stack' : scaledOut ? 'services over Kafka' : 'npm start',
    databaseUrl: DATABASE_URL ?? kept('database-url'),
    redisUrl: REDIS_URL ?? running?.redisUrl,
    kafka: scaledOut || running ? orFault(() => readKafka(kafkaEnv), faults) : undefined,
    /** Undefined when it is not set, because the gateway knows it too. `linkDomain` follows the same rule. */
    publicUrl: PUBLIC_URL ?? running?.publicUrl,
    linkDomain: LINK_DOMAIN ?? running?.linkDomain,
    /** The URL of the product when PUBLIC_URL is not set. A running npm start says which port it has. */
    localUrl: `http://localhost:${config.PORT ?? kept('port') ?? 8080}`,
    /** The URLs of single gateways, in addition to PUBLIC_URL, which may lead to any of them. */
    gateways: options.gateways?.length ? options.gateways : (running?.gateways ?? []),
    processes: [
      ...(running?.processes ?? []),
      ...(options.processes ?? []).map((one) => ({ name: hostOf(one), url: one })),
    ],
    ownerToken: config.LANDFALL_TOKEN ?? config.OWNER_TOKEN ?? kept('owner-token'),
    hashSecret: HASH_SECRET ?? kept('hash-secret'),
    /** `host:port` of a name server to ask instead of this machine's. */
    resolver: options.resolver,
    /** `host:port` that stands for localhost, where doctor runs in a container beside the proxy. */
    localhost: config.LANDFALL_LOCALHOST,
    /** Certificates to trust besides the well-known ones, as PEM. */
    ca: options.ca,
    patience: options.patience ?? 1,
    faults,
  } as const;
  const { databaseUrl, redisUrl, ownerToken, hashSecret, publicUrl, kafka } = setup;
  const password = kafka?.connection.sasl?.password;
  const given = [ownerToken, config.OWNER_TOKEN, hashSecret, env.KAFKA_SASL_PASSWORD, password];
  /** Texts that must never be printed. */
  const secrets = [...given.filter((one) => one !== undefined), ...passwordsOf([databaseUrl, redisUrl, publicUrl])];
  return { ...setup, secrets };
}

/** Reads each variable separately. A wrong variable becomes a finding, and doctor still uses the others. */
function readEach<T extends z.ZodRawShape>(schema: z.ZodObject<T>, env: NodeJS.ProcessEnv, faults: Finding[]) {
  const read = Object.entries(schema.shape).map(([name, field]) =>
    orFault(() => readConfig(z.object({ [name]: field as z.ZodType }), env), faults),
  );
  return Object.assign({}, ...read) as Partial<z.output<z.ZodObject<T>>> & { LANDFALL_DATA: string };
}

function readKafka(env: NodeJS.ProcessEnv) {
  const { connection, prefix = '', topics } = kafkaOptions(readConfig(KafkaConfig, env));
  return { connection, prefix, settings: topics };
}

function orFault<T>(read: () => T, faults: Finding[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const remedy = 'A service with this value does not start: correct it.';
    faults.push({ check: 'settings', ...fail(error.message, remedy) });
    return undefined;
  }
}

const Running = z.object({
  brokers: z.array(z.string()),
  prefix: z.string(),
  redisUrl: z.string(),
  publicUrl: z.string(),
  linkDomain: z.string(),
  gateways: z.array(z.string()),
  processes: z.array(z.object({ name: z.string(), url: z.string() })),
});

/** What a running `npm run stack` writes. Undefined when `npm start` runs in the same folder: it goes before. */
function stackIn(folder: string): z.output<typeof Running> | undefined {
  const file = fileIn(path.join(folder, 'stack'), 'running.json');
  if (file === undefined || fileIn(folder, 'database-url') !== undefined) return undefined;
  const parsed = Running.safeParse(JSON.parse(file));
  return parsed.success ? parsed.data : undefined;
}

function fileIn(folder: string, name: string): string | undefined {
  try {
    return readFileSync(path.join(folder, name), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

const hostOf = (one: string): string => (URL.canParse(one) ? new URL(one).host : one);
