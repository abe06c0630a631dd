// The registrations of a bus, and the topics that they need.
import type { EventDef, RequestDef } from '@landfall/contracts';
import type { AnyHandler, AnyListener, Watcher } from '../receiver.ts';
import type { Names } from './topics/names.ts';
import { type TopicKind, wantedTopics } from './topics/wanted-topics.ts';

export interface Answering {
  to: RequestDef;
  handler: AnyHandler;
  max: number;
}

export interface Listening {
  event: EventDef;
  listener: AnyListener;
  max: number;
}

export interface Watching {
  event: EventDef;
  watchers: { seen: Watcher; onGap(): void }[];
}

export type Register = ReturnType<typeof createRegister>;

export function createRegister() {
  const answering = new Map<string, Answering>();
  const listening = new Map<string, Map<string, Listening>>();
  const watching = new Map<string, Watching>();

  return {
    answer(one: Answering): void {
      if (answering.has(one.to.name)) throw new Error(`${one.to.name} has a handler already`);
      answering.set(one.to.name, one);
    },

    listen(group: string, one: Listening): void {
      const ones = listening.get(group) ?? new Map<string, Listening>();
      if (ones.has(one.event.name)) throw new Error(`${group} already listens to ${one.event.name}`);
      listening.set(group, ones.set(one.event.name, one));
    },

    watch(event: EventDef, watcher: Watching['watchers'][number]): void {
      const one = watching.get(event.name) ?? { event, watchers: [] };
      watching.set(event.name, one);
      one.watchers.push(watcher);
    },

    /** Returns the requests by topic. One group answers all requests of a topic. */
    requestTopics: (): Map<string, Answering[]> => Map.groupBy(answering.values(), ({ to }) => to.topic),
    listeners: (): Map<string, Listening[]> =>
      new Map([...listening].map(([group, ones]) => [group, [...ones.values()]])),
    watched: (name: string): Watching | undefined => watching.get(name),
    allWatched: (): Watching[] => [...watching.values()],

    /** Returns every topic that must exist. Tests use messages that are not in the contracts. */
    topics(names: Names, others: readonly string[]): Map<string, TopicKind> {
      const commands = [...answering.values()].filter(({ to }) => to.kind === 'command');
      const wanted = wantedTopics(names, new Set([...commands.map(({ to }) => to.topic), ...listening.keys()]));
      for (const { to } of answering.values())
        wanted.set(names.topic(to.topic), to.kind === 'query' ? 'queries' : 'commands');
      const heard = [...listening.values()].flatMap((ones) => [...ones.values()]);
      for (const { event } of [...heard, ...watching.values()]) wanted.set(names.topic(event.topic), 'events');
      for (const topic of others) if (!wanted.has(names.topic(topic))) wanted.set(names.topic(topic), 'events');
      return wanted;
    },
  };
}
