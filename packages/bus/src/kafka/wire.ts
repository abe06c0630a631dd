// The format of messages in topics. Events are CloudEvents 1.0 in Kafka's binary mode, so that every client can read
// them. Requests also have headers of this product, and answers only those. The value is the data as JSON.
import type { IHeaders, KafkaMessage } from 'kafkajs';
import type { TraceHeaders } from '../observer.ts';

export interface Place {
  readonly topic: string;
  readonly partition: number;
  readonly raw: KafkaMessage;
}

/** The address for the answer to a request, and its deadline. */
export interface ReplyTo {
  /** Tells the waiting caller's request. Random: two requests may carry the same message id at once. */
  readonly correlation: string;
  readonly partition: number;
  /** Milliseconds since 1970, by the caller's clock. */
  readonly deadline: number;
}

/** The maximum difference between the clocks of two machines, in milliseconds. */
export const GRACE_MS = 2_000;

const CORRELATION = 'lf_correlation';
const REPLY_PARTITION = 'lf_reply_partition';
const DEADLINE = 'lf_deadline';
/** A replay leaves these headers out, because no caller waits for its answer any more. */
export const REPLY_HEADERS = [CORRELATION, REPLY_PARTITION, DEADLINE] as const;

export interface Envelope {
  name: string;
  id: string;
  /** Milliseconds since 1970. */
  time: number;
  trace: TraceHeaders | undefined;
}

/** Returns the headers of an event: all headers that CloudEvents requires, because other systems may read events. */
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

/** Returns the headers of a request: only the headers that its service needs, because requests are internal. */
export const requestHeaders = ({ name, id, time, trace }: Envelope, replyTo: ReplyTo): Record<string, string> => ({
  ce_id: id,
  ce_type: name,
  ce_time: new Date(time).toISOString(),
  [CORRELATION]: replyTo.correlation,
  [REPLY_PARTITION]: `${replyTo.partition}`,
  [DEADLINE]: `${replyTo.deadline}`,
  ...trace,
});

/** The headers of a message in a topic, before they are checked. */
export type Found = ReturnType<typeof readHeaders>;

export function readHeaders(headers: IHeaders | undefined) {
  const correlation = textOf(headers?.[CORRELATION]);
  const traceparent = textOf(headers?.traceparent);
  const tracestate = textOf(headers?.tracestate);
  const replyTo: ReplyTo | undefined =
    correlation === undefined
      ? undefined
      : {
          correlation,
          partition: Number(textOf(headers?.[REPLY_PARTITION])),
          deadline: Number(textOf(headers?.[DEADLINE])),
        };
  const trace: TraceHeaders | undefined =
    traceparent === undefined ? undefined : { traceparent, ...(tracestate && { tracestate }) };
  return {
    name: textOf(headers?.ce_type),
    id: textOf(headers?.ce_id),
    /** Milliseconds since 1970. */
    time: Date.parse(textOf(headers?.ce_time) ?? ''),
    replyTo,
    trace,
  };
}

/** Returns the text of a header, of the first one when it is repeated. */
export function textOf(header: IHeaders[string]): string | undefined {
  const one = Array.isArray(header) ? header[0] : header;
  return one?.toString();
}

/** Returns undefined when the value is not JSON. */
export function jsonOf({ value }: Pick<KafkaMessage, 'value'>): unknown {
  if (value === null) return undefined;
  try {
    return JSON.parse(value.toString());
  } catch {
    return undefined;
  }
}

/** The kind of an answer. Headers hold its addressee and its kind. The value holds the reply or the refusal as JSON. */
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
