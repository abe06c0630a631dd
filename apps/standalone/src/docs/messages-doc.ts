import {
  defaultShape,
  type Example,
  examplesOf,
  headerFields,
  inOrder,
  type Json,
  keyOf,
  publicEvents,
  schemaOf,
} from '@landfall/console/asyncapi';
import { type EventDef, events, requests } from '@landfall/contracts';
import { code, table, withPart } from '../marks.ts';

const FILE = 'docs/reference/messages.md';

export function withMessages(page: string): string {
  const parts = {
    topics: topics(),
    headers: headers(),
    events: publicEvents.map(section).join('\n\n'),
    internal: internal(),
  };
  return Object.entries(parts).reduce((before, [name, part]) => withPart(FILE, before, name, part), page);
}

function topics(): string {
  const hours = Number(defaultShape.config['retention.ms']) / 3_600_000;
  const rows = publicEvents.map((event) => [link(event), code(event.name), code(keyOf(event)), event.description]);
  return [
    table([['Topic', 'Type', 'Key', 'What happened'], ...rows]),
    '',
    `Each has ${defaultShape.partitions} partitions (\`KAFKA_PARTITIONS\`) and keeps its records for ${hours} hours (\`KAFKA_EVENT_HOURS\`).`,
  ].join('\n');
}

const link = ({ topic }: EventDef): string => `[${code(topic)}](#${topic.replaceAll('.', '')})`;

function headers(): string {
  const rows = Object.entries(headerFields).map(([name, { const: value, optional, description }]) => [
    code(name),
    value === undefined ? '' : code(String(value)),
    optional ? `${description} Not always there.` : description,
  ]);
  return table([['Header', 'Always', 'Meaning'], ...rows]);
}

function section(event: EventDef): string {
  const schema: Schema = schemaOf(event.data);
  const example = fullest(examplesOf(event), schema);
  return [
    `### ${event.topic}`,
    '',
    event.description,
    '',
    `Type \`${event.name}\`, key \`${keyOf(event)}\`, told by \`${example.headers.ce_source}\`.`,
    '',
    table([['Field', 'Type', 'Meaning'], ...fieldsOf(schema, '')]),
    '',
    '```json',
    JSON.stringify(example.payload, null, 2),
    '```',
  ].join('\n');
}

/** Returns the first example with all fields. The first examples of some events are older than some of their fields. */
function fullest(examples: readonly Example[], { properties = {} }: Schema): Example {
  const names = Object.keys(properties);
  return examples.find(({ payload }) => names.every((name) => payload[name] !== undefined)) ?? examples[0]!;
}

function fieldsOf({ properties = {}, anyOf = [] }: Schema, before: string): string[][] {
  const own = Object.entries(properties).flatMap(([name, field]) => [
    [code(before + name), typeOf(field), field.description ?? ''],
    ...fieldsOf(field, `${before}${name}.`),
    ...(field.items ? fieldsOf(field.items, `${before}${name}[].`) : []),
  ]);
  return [...own, ...anyOf.flatMap((one) => fieldsOf(one, before))];
}

interface Schema extends Json {
  type?: string;
  format?: string;
  description?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  anyOf?: Schema[];
}

function typeOf({ type = '', format, enum: values, anyOf, items, additionalProperties }: Schema): string {
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  if (values) return values.map(code).join(', ');
  if (items) return `list of ${typeOf(items)}s`;
  if (additionalProperties) return `object with ${typeOf(additionalProperties)}s as values`;
  return format ?? type;
}

function internal(): string {
  const ours = [...inOrder(requests), ...inOrder(events.filter(({ audience }) => audience === 'internal'))];
  const rows = ours.map((message) => {
    const { name, topic, description } = message;
    return [code(name), 'kind' in message ? message.kind : 'event', code(topic), code(keyOf(message)), description];
  });
  return table([['Name', 'Kind', 'Topic', 'Key', 'What it is for'], ...rows]);
}
