// Writes and reads messages as they lie in a topic. Events are CloudEvents 1.0 in Kafka's binary mode, so that anybody
// can read them. Requests and answers use the same names, and headers of our own. The value is the data as JSON.
import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { TraceHeaders } from '../observer.ts';

/** The topic and partition for the answer of an ask. */
export interface ReplyTo {
  /** Names the ask for whoever waits. Random: a message's id can be asked twice at once. */
  readonly correlation: string;
  readonly partition: number;
  /** Milliseconds since 1970, by the asker's clock. */
  readonly deadline: number;
}

/** A message as it was found in a topic, before anybody knows whether it is one. */
export interface Found {
  readonly name: string | undefined;
  readonly id: string | undefined;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly replyTo: ReplyTo | undefined;
  readonly trace: TraceHeaders | undefined;
}

const CORRELATION = 'lf_correlation';
const REPLY_PARTITION = 'lf_reply_partition';
const DEADLINE = 'lf_deadline';
/** A replay leaves these out: nobody waits for its answer any more. */
export const REPLY_HEADERS = [CORRELATION, REPLY_PARTITION, DEADLINE] as const;

export interface Envelope {
  name: string;
  id: string;
  /** Milliseconds since 1970. */
  time: number;
  trace: TraceHeaders | undefined;
}

/** An event is public: everything that CloudEvents asks for. */
export const eventHeaders = (
  { name, id, time, trace }: Envelope,
  source: string,
  key: string,
): Record<string, string> => ({
  ce_specversion: '1.0',
  ce_id: id,
  ce_source: source,
  ce_type: name,
  ce_time: new Date(time).toISOString(),
  ce_partitionkey: key,
  'content-type': 'application/json',
  ...trace,
});

/** A request is between us: what its service needs, and nothing more. */
export const requestHeaders = ({ name, id, time, trace }: Envelope, replyTo: ReplyTo): Record<string, string> => ({
  ce_id: id,
  ce_type: name,
  ce_time: new Date(time).toISOString(),
  [CORRELATION]: replyTo.correlation,
  [REPLY_PARTITION]: `${replyTo.partition}`,
  [DEADLINE]: `${replyTo.deadline}`,
  ...trace,
});

export function readHeaders(headers: IHeaders | undefined): Found {
  const correlation = textOf(headers?.[CORRELATION]);
  const traceparent = textOf(headers?.traceparent);
  const tracestate = textOf(headers?.tracestate);
  return {
    name: textOf(headers?.ce_type),
    id: textOf(headers?.ce_id),
    time: Date.parse(textOf(headers?.ce_time) ?? ''),
    replyTo:
      correlation === undefined
        ? undefined
        : {
            correlation,
            partition: Number(textOf(headers?.[REPLY_PARTITION])),
            deadline: Number(textOf(headers?.[DEADLINE])),
          },
    trace: traceparent === undefined ? undefined : { traceparent, ...(tracestate && { tracestate }) },
  };
}

/** A header's text; of a repeated one the first. */
export function textOf(header: IHeaders[string]): string | undefined {
  const one = Array.isArray(header) ? header[0] : header;
  return one?.toString();
}

/** The value as JSON, or undefined when it is none. */
export function jsonOf({ value }: Pick<KafkaMessage, 'value'>): unknown {
  if (value === null) return undefined;
  try {
    return JSON.parse(value.toString());
  } catch {
    return undefined;
  }
}

/** The form of an answer: its addressee and kind in headers, the reply or the refusal as JSON. */
export type AnswerKind = 'reply' | 'refusal' | 'invalid' | 'failed';
const KIND = 'lf_answer';

export const answerHeaders = (correlation: string, kind: AnswerKind): Record<string, string> => ({
  [CORRELATION]: correlation,
  [KIND]: kind,
});

export const readAnswer = (headers: IHeaders | undefined) => ({
  correlation: textOf(headers?.[CORRELATION]),
  kind: textOf(headers?.[KIND]) as AnswerKind | undefined,
});
