// Made-up events as the messages that the handlers of services take.
import { type Message, uuid5 } from '@landfall/bus';
import type { DemoEvent } from '@landfall/demo-data';

export const messageOf = ({ id, now, data }: Pick<DemoEvent, 'id' | 'now' | 'data'>): Message<never> => {
  const context = { id, now, idFor: (name: string) => uuid5(id, name), expired: () => false };
  return { data, context } as unknown as Message<never>;
};

const AT_ONCE = 1_000;

export function* parts(events: Iterable<DemoEvent>): Generator<DemoEvent[]> {
  let part: DemoEvent[] = [];
  for (const event of events) {
    part.push(event);
    if (part.length < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
