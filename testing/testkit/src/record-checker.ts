// Checks a record of a public topic against the AsyncAPI document, for a reader who knows nothing else: its headers and
// its value fit their schemas, and a CloudEvents library reads it.
import { isDeepStrictEqual } from 'node:util';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { CloudEvent, Kafka as CloudEvents, type KafkaMessage } from 'cloudevents';

/** As far as it is read here. */
export interface AsyncApi {
  channels: Record<string, { address: string; messages: Record<string, unknown> }>;
  components: {
    messages: Record<
      string,
      {
        headers: object;
        payload: object;
        bindings: { kafka: { key: object } };
        examples: { headers: Record<string, string>; payload: unknown }[];
      }
    >;
  };
}

export interface PublicRecord {
  topic: string;
  key: string | null;
  headers: Readonly<Record<string, string>>;
  value: string | null;
}

/** Says what is wrong with a record; nothing when it fits. */
export function recordChecker({ channels, components }: AsyncApi): (record: PublicRecord) => string[] {
  const ajv = new Ajv({ allErrors: true });
  formats.default(ajv);
  const compiled = new Map(
    Object.values(channels).map(({ address, messages }) => {
      const [name = ''] = Object.keys(messages);
      const { headers, payload, bindings } = components.messages[name]!;
      const checks = {
        headers: ajv.compile(headers),
        payload: ajv.compile(payload),
        key: ajv.compile(bindings.kafka.key),
      };
      return [address, checks];
    }),
  );

  return (record) => {
    const checks = compiled.get(record.topic);
    if (!checks) return ['the document has no such topic'];
    return [
      ...misfits('key', checks.key, record.key),
      ...misfits('headers', checks.headers, record.headers),
      ...misfits('value', checks.payload, jsonOf(record.value)),
      ...(record.key === record.headers.ce_partitionkey ? [] : ['key: is not ce_partitionkey']),
      ...wrongAsCloudEvent(record),
    ];
  };
}

function misfits(what: string, check: ValidateFunction, value: unknown): string[] {
  if (check(value)) return [];
  return (check.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath}: ${message}`);
}

/** Undefined for what is no JSON. */
function jsonOf(value: string | null): unknown {
  try {
    return JSON.parse(value ?? '');
  } catch {
    return undefined;
  }
}

function wrongAsCloudEvent({ key, headers, value }: PublicRecord): string[] {
  try {
    const event = CloudEvents.toEvent({ key, headers, value } as KafkaMessage<string>);
    if (!(event instanceof CloudEvent)) return ['CloudEvents: several'];
    event.validate();
    const { specversion, id, source, type, time, partitionkey, datacontenttype, data } = event;
    const read = { specversion, id, source, type, time, partitionkey, datacontenttype, data };
    const written = {
      specversion: '1.0',
      id: headers.ce_id,
      source: headers.ce_source,
      type: headers.ce_type,
      time: headers.ce_time,
      partitionkey: key,
      datacontenttype: 'application/json',
      data: jsonOf(value),
    };
    return isDeepStrictEqual(read, written) ? [] : [`CloudEvents: reads ${JSON.stringify(read)}`];
  } catch (error) {
    return [`CloudEvents: ${(error as Error).message}`];
  }
}
