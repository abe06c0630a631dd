import { events, requests } from '@landfall/contracts';
import type { TopicSettings } from '../options.ts';
import { names as createNames, type Names, REPLY_PARTITIONS } from './names.ts';

export type TopicKind = 'commands' | 'queries' | 'events' | 'replies' | 'dead' | 'retry';

/** Topics by their name at the broker. */
export type WantedTopics = ReadonlyMap<string, TopicKind>;

/** The topics of all contracts, because a caller may start before the service that answers, and of the groups. */
export function wantedTopics(names: Names, groups: Iterable<string>): Map<string, TopicKind> {
  const wanted = new Map<string, TopicKind>([[names.replies, 'replies']]);
  for (const { topic, kind } of requests) wanted.set(names.topic(topic), kind === 'query' ? 'queries' : 'commands');
  for (const { topic } of events) wanted.set(names.topic(topic), 'events');
  for (const group of groups) {
    wanted.set(names.dead(group), 'dead');
    wanted.set(names.retry(group), 'retry');
  }
  return wanted;
}

/**
 * Returns every topic of the product. `listening` holds the groups that listen to events: services know them, and so
 * does `groups()` of the dead letters, once each of them has started.
 */
export function productTopics(prefix = '', listening: Iterable<string> = []): WantedTopics {
  const commands = requests.filter(({ kind }) => kind === 'command').map(({ topic }) => topic);
  return wantedTopics(createNames(prefix), new Set([...commands, ...listening]));
}

const HOUR_MS = 3_600_000;
/** Milliseconds that requests nobody waits for are kept. Segments must be short, too, or nothing is ever deleted. */
const SHORT_MS = 10 * 60_000;

export function shapeOf(kind: TopicKind, settings: TopicSettings) {
  const { partitions, replication, eventHours, commandHours, deadLetterHours } = settings;
  const retentionMs = {
    commands: commandHours * HOUR_MS,
    retry: commandHours * HOUR_MS,
    events: eventHours * HOUR_MS,
    dead: deadLetterHours * HOUR_MS,
    queries: SHORT_MS,
    replies: SHORT_MS,
  }[kind];
  const short = retentionMs === SHORT_MS;
  return {
    partitions: kind === 'replies' ? REPLY_PARTITIONS : partitions,
    replication,
    config: {
      'cleanup.policy': 'delete',
      'retention.ms': `${retentionMs}`,
      'min.insync.replicas': `${!short && replication > 2 ? 2 : 1}`,
      ...(short && { 'segment.ms': `${SHORT_MS}` }),
    },
  };
}
