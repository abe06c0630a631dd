// Messages and helpers for the tests of the in-process bus.

import type { DeadLetter } from '@landfall/contracts';
import { event, request } from '@landfall/contracts';
import { z } from 'zod';
import { type Handler, type Listener, told } from '../port.ts';
import type { InProcessOptions } from './core.ts';
import { createInProcessBus } from './in-process-bus.ts';

const both = {
  description: 'For tests.',
  input: z.object({ n: z.int() }),
  reply: z.object({ sum: z.int() }),
  key: (_: unknown, id: string) => id,
};

export const Add = request({
  kind: 'command',
  name: 'Add',
  topic: 'test.commands',
  refusals: { NEGATIVE: z.object({ n: z.int() }) },
  ...both,
});

export const Look = request({ kind: 'query', name: 'Look', topic: 'test.queries', refusals: {}, ...both });

export const Added = event({
  name: 'Added',
  description: 'For tests.',
  audience: 'internal',
  producer: 'test',
  topic: 'added',
  data: z.object({ n: z.int() }),
  key: (_, id) => id,
});

interface Logged {
  level: 'debug' | 'info' | 'warn' | 'error';
  fields: object;
  message: string;
}

/** Starts a bus with these handlers. Returns it with its log lines and its dead letters. */
export async function testBus(
  receivers: {
    add?: Handler<typeof Add>;
    look?: Handler<typeof Look>;
    listeners?: Record<string, Listener<typeof Added>>;
    max?: number;
  },
  options: Partial<InProcessOptions> = {},
) {
  const logged: Logged[] = [];
  const letters: DeadLetter[] = [];
  const write = (level: Logged['level']) => (fields: object, message: string) =>
    void logged.push({ level, fields, message });
  const bus = createInProcessBus({
    log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
    deadLetters: async (letter) => void letters.push(letter),
    isTransient: (error) => error instanceof Error && error.message === 'away',
    ...options,
  });
  const { add, look, listeners = {}, max } = receivers;
  const bound = max === undefined ? {} : { max };
  if (add) bus.answer(Add, add, bound);
  if (look) bus.answer(Look, look, bound);
  for (const [group, listener] of Object.entries(listeners)) bus.listen(group, Added, listener, bound);
  await bus.start();
  const errors = () => logged.filter(({ level }) => level === 'error').map(({ message }) => message);
  const health = (name: string) => bus.health().receivers.find((receiver) => receiver.name === name)!;
  return { bus, logged, errors, letters, health };
}

/** A correct handler: adds to a sum, remembers its answer by message id, and publishes it as an event. */
export function sound(): { add: Handler<typeof Add>; sum: () => number; calls: string[][] } {
  const said = new Map<string, number>();
  const calls: string[][] = [];
  let sum = 0;
  return {
    sum: () => sum,
    calls,
    add: async (batch) => {
      calls.push(batch.map(({ context }) => context.id));
      return batch.map(({ data, context }) => {
        if (data.n < 0) return { refusal: { code: 'NEGATIVE', facts: { n: data.n } } };
        if (!said.has(context.id)) {
          sum += data.n;
          said.set(context.id, sum);
        }
        return { reply: { sum: said.get(context.id)! }, events: [told(Added, { n: data.n })] };
      });
    },
  };
}
