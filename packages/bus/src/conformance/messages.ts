// Each case has its own messages, named after the case. All cases with the same owner share three topics.
import { event, json, request } from '@landfall/contracts';
import { z } from 'zod';
import type { Message } from '../port.ts';

const input = () => z.object({ key: z.string().default('k'), n: z.int(), free: json().optional() });
const reply = () => z.object({ n: z.int(), text: z.string().optional() });
const refusals = { TOO_MANY: z.object({ limit: z.int() }) };
const key = (data: { key: string }) => data.key;

/** The topics that a case may use. Cases that start and stop their own bus use the `own` topics. */
export const CONFORMANCE_TOPICS = ['shared', 'own'].flatMap((owner) =>
  ['commands', 'queries', 'events'].map((kind) => `conformance-${owner}.${kind}`),
);

export function messages(name: string, owner: 'shared' | 'own' = 'shared') {
  const topic = `conformance-${owner}`;
  const both = { description: 'For tests.', input: input(), reply: reply(), refusals, key };
  const Command = request({ kind: 'command', name: `${name}.Command`, topic: `${topic}.commands`, ...both });
  const Query = request({ kind: 'query', name: `${name}.Query`, topic: `${topic}.queries`, ...both });
  const Happened = event({
    name: `${name}.Happened`,
    description: 'For tests.',
    audience: 'internal',
    producer: 'test',
    topic: `${topic}.events`,
    data: input(),
    key,
  });
  return { Command, Query, Happened };
}

export const numbers = (batch: readonly Message<{ n: number }>[]) => batch.map(({ data }) => data.n);
export const replies = (batch: readonly Message<{ n: number }>[]) =>
  batch.map(({ data }) => ({ reply: { n: data.n } }));
