// Builds the AsyncAPI 3.0 document of the public topics from the contracts and the settings of topics.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { uuid5 } from '@landfall/bus';
import { eventHeaders, shapeOf } from '@landfall/bus/kafka';
import { type EventDef, events, type RequestDef } from '@landfall/contracts';
import { KafkaConfig, kafkaOptions, readConfig } from '@landfall/runtime';
import { z } from 'zod';

export type Json = Record<string, unknown>;

/** Sorts messages by topic, then by name. */
export const inOrder = <T extends { topic: string; name: string }>(messages: readonly T[]): T[] =>
  messages.toSorted((a, b) => (`${a.topic} ${a.name}` < `${b.topic} ${b.name}` ? -1 : 1));

export const publicEvents: readonly EventDef[] = inOrder(events.filter(({ audience }) => audience === 'public'));

export const defaultShape = shapeOf(
  'events',
  kafkaOptions(readConfig(KafkaConfig, { KAFKA_BROKERS: 'localhost:9092' })).topics,
);

export const headerFields: Readonly<Record<string, { description: string; optional?: true } & Json>> = {
  ce_specversion: { const: '1.0', description: 'The version of CloudEvents.' },
  ce_id: {
    format: 'uuid',
    description:
      'Names what happened. The same in every copy of the event: whoever counts drops those that it has seen.',
  },
  ce_source: { format: 'uri-reference', description: 'The service that told it.' },
  ce_type: { description: 'What happened.' },
  ce_time: {
    format: 'date-time',
    description:
      'When it happened, in UTC with milliseconds. The timestamp of the record is when it was written, which may be later.',
  },
  ce_partitionkey: { description: 'The key of the record.' },
  'content-type': { const: 'application/json', description: 'What the value is.' },
  traceparent: { optional: true, description: 'Of W3C Trace Context, where traces are on.' },
  tracestate: { optional: true, description: 'The same.' },
};

export function asyncapi(): Json {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Landfall: public topics',
      version: versionOf('contracts'),
      description: [
        'What happens to links, as CloudEvents 1.0 in binary mode on Kafka: one topic for each type of event.',
        'Each event is there at least once: whoever counts drops what has a `ce_id` that it has seen. Events with the same key are in order, in one partition. Changes are additive: readers ignore fields and headers that they do not know.',
        '`KAFKA_PREFIX`, where it is set, stands in front of every topic. Partitions, copies and retention are those that topics are made with by default.',
      ].join('\n\n'),
    },
    defaultContentType: 'application/json',
    servers: {
      kafka: { host: 'localhost:9092', protocol: 'kafka', description: 'The brokers that `KAFKA_BROKERS` names.' },
    },
    channels: Object.fromEntries(publicEvents.map((event) => [event.topic, channelOf(event)])),
    operations: Object.fromEntries(publicEvents.map((event) => [`tell${event.name}`, operationOf(event)])),
    components: {
      messages: Object.fromEntries(publicEvents.map((event) => [event.name, messageOf(event)])),
    },
  };
}

const refer = (...parts: string[]): Json => ({ $ref: `#/${parts.join('/')}` });
const bindingVersion = '0.5.0';

function channelOf({ name, topic, description }: EventDef): Json {
  const { partitions, replication, config } = defaultShape;
  return {
    address: topic,
    description,
    messages: { [name]: refer('components', 'messages', name) },
    bindings: {
      kafka: {
        topic,
        partitions,
        replicas: replication,
        topicConfiguration: {
          'cleanup.policy': [config['cleanup.policy']],
          'retention.ms': Number(config['retention.ms']),
        },
        bindingVersion,
      },
    },
  };
}

const operationOf = ({ name, topic, producer }: EventDef): Json => ({
  action: 'send',
  summary: `The ${producer} service tells it.`,
  channel: refer('channels', topic),
  messages: [refer('channels', topic, 'messages', name)],
});

function messageOf(event: EventDef): Json {
  const payload = schemaOf(event.data);
  const properties = payload.properties as Record<string, Json>;
  return {
    name: event.name,
    title: event.name,
    summary: event.description,
    contentType: 'application/json',
    headers: headersOf(event),
    payload,
    bindings: { kafka: { key: properties[keyOf(event)], bindingVersion } },
    examples: examplesOf(event),
  };
}

function headersOf({ name, producer }: EventDef): Json {
  const fields = Object.entries(headerFields);
  const own: Readonly<Record<string, Json>> = {
    ce_type: { const: name },
    ce_source: { examples: [sourceOf(producer)] },
  };
  return {
    type: 'object',
    required: fields.filter(([, { optional }]) => !optional).map(([header]) => header),
    properties: Object.fromEntries(
      fields.map(([header, { optional: _, ...field }]) => [header, { type: 'string', ...field, ...own[header] }]),
    ),
  };
}

const sourceOf = (service: string): string => `/landfall/${service}`;

/** Returns the JSON schema of an event for readers. It allows unknown fields. */
export function schemaOf(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    // AsyncAPI uses this draft for schemas that name no other draft.
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      // A format makes the pattern redundant. Zod's default bounds of an integer are only the limits of JavaScript.
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return rest;
}

/** Returns the field that is the key, several as in `<app>/<slug>`, `id` for the id of the message, or `none`. */
export function keyOf(message: EventDef | RequestDef): string {
  const names = new Proxy({}, { get: (_, field) => String(field) });
  return message.key(names, 'id') ?? 'none';
}

const FIRST = Date.parse('2026-11-21T15:04:05.000Z');
const NAMESPACE = '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11';

export interface Example extends Json {
  headers: Record<string, string>;
  payload: Json;
}

/** Returns the examples of the contracts, with the headers that the bus adds. */
export function examplesOf(event: EventDef): Example[] {
  const { data } = JSON.parse(readIn(`contracts/examples/${event.name}.json`)) as { data: Json[] };
  return data.map((payload, i) => {
    const id = uuid5(NAMESPACE, `${event.name} ${i}`);
    const envelope = { name: event.name, id, time: FIRST + i * 1_000, trace: undefined };
    return { headers: eventHeaders(envelope, sourceOf(event.producer), event.key(payload, id)), payload };
  });
}

const versionOf = (name: string): string => (JSON.parse(readIn(`${name}/package.json`)) as { version: string }).version;
const readIn = (file: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../../../../packages', file), 'utf8');
