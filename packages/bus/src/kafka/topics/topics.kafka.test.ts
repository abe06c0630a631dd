// Topics that another party created or changed: the bus reports them and does not change them.
import type { ITopicConfig } from 'kafkajs';
import { afterEach, describe, expect, test } from 'vitest';
import type { Log } from '../../observer.ts';
import { freshPrefix, member, memberOptions, quiet } from '../cluster.testing.ts';
import { compareTopics, productTopics } from '../index.ts';
import { asAdmin, brokers, started, stopAll } from '../started.testing.ts';

const settings = memberOptions(brokers, '').topics;
const HOUR_MS = '3600000';
afterEach(stopAll);

/** Creates topics with the expected settings, except for the given values. */
function make(...topics: (Partial<ITopicConfig> & { topic: string; config?: Record<string, string> })[]) {
  const wanted = topics.map(({ config, ...topic }) => ({
    numPartitions: 3,
    replicationFactor: 1,
    configEntries: Object.entries({ 'retention.ms': HOUR_MS, ...config }).map(([name, value]) => ({ name, value })),
    ...topic,
  }));
  return asAdmin((admin) => admin.createTopics({ waitForLeaders: true, topics: wanted }));
}

async function warningsOfStart(prefix: string): Promise<string[]> {
  const warnings: string[] = [];
  const log: Log = { ...quiet, warn: (_, message) => warnings.push(message) };
  await started(member(brokers, prefix, { log }));
  return warnings.filter((message) => message.startsWith('kafka: topics') || message.includes('topics are set'));
}

const compare = (prefix: string, given = settings) =>
  compareTopics({ brokers }, productTopics(prefix, ['attribution']), given);

describe('topics that exist', () => {
  test('are as they should be after a start, and nothing is said', async () => {
    const prefix = freshPrefix();
    expect(await warningsOfStart(prefix)).toEqual([]);
    expect(await warningsOfStart(prefix)).toEqual([]);
    // This member handles nothing, so it created no topics for dead letters and replays.
    const missing = await compare(prefix);
    expect(missing.map(({ topic }) => topic).sort()).toEqual(
      ['attribution', 'attribution.commands', 'link.commands', 'push.commands']
        .flatMap((group) => [`${prefix}dead.${group}`, `${prefix}retry.${group}`])
        .sort(),
    );
  });

  test('that are otherwise are named in one line, and used', async () => {
    const prefix = freshPrefix();
    await make(
      { topic: `${prefix}link.clicked`, numPartitions: 4 },
      { topic: `${prefix}link.created`, numPartitions: 4 },
      { topic: `${prefix}link.edited`, config: { 'retention.ms': '-1' } },
      { topic: `${prefix}link.opened`, config: { 'cleanup.policy': 'compact' } },
      { topic: `${prefix}link.queries`, config: { 'retention.ms': '90000' } },
      { topic: `${prefix}landfall.replies`, numPartitions: 17, config: { 'retention.ms': '600000' } },
    );
    expect(await warningsOfStart(prefix)).toEqual([
      `kafka: topics are not as the settings say, and are used as they are: ${[
        `${prefix}landfall.replies: 17 partitions, 16 are needed`,
        `${prefix}link.clicked, ${prefix}link.created: 4 partitions, KAFKA_PARTITIONS says 3`,
        `${prefix}link.edited: kept for ever, KAFKA_EVENT_HOURS says 1 h`,
        `${prefix}link.opened: cleanup.policy=compact instead of delete`,
        `${prefix}link.queries: kept 90 s, 10 min is enough`,
      ].join('; ')}`,
    ]);
    const { topics } = await asAdmin((admin) => admin.fetchTopicMetadata({ topics: [`${prefix}link.clicked`] }));
    expect(topics[0]!.partitions).toHaveLength(4);
  });

  test('too few partitions for replies end the start', async () => {
    const prefix = freshPrefix();
    await make({ topic: `${prefix}landfall.replies`, numPartitions: 3 });
    await expect(warningsOfStart(prefix)).rejects.toThrow(`${prefix}landfall.replies has 3 partitions and needs 16.`);
  });
});

describe('compared without a start', () => {
  test('all are missing on a cluster that has none, and are still missing afterwards', async () => {
    const prefix = freshPrefix();
    const wanted = productTopics(prefix, ['attribution']);
    expect([...wanted.keys()]).toEqual(expect.arrayContaining([`${prefix}link.clicked`, `${prefix}landfall.replies`]));
    for (let round = 0; round < 2; round++)
      expect(await compare(prefix)).toEqual(
        [...wanted.keys()].map((topic) => ({ topic, what: 'missing', finding: 'missing' })),
      );
  });

  test('other settings than those that they were made with are found', async () => {
    const prefix = freshPrefix();
    await make({ topic: `${prefix}link.clicked` }, { topic: `${prefix}dead.attribution` });
    const found = await compare(prefix, {
      partitions: 6,
      replication: 3,
      eventHours: 2,
      commandHours: 1,
      deadLetterHours: 1,
    });
    const of = (name: string) => found.filter(({ topic }) => topic === prefix + name).map(({ finding }) => finding);
    expect(of('link.clicked')).toEqual([
      '3 partitions, KAFKA_PARTITIONS says 6',
      '1 copy, KAFKA_REPLICATION says 3',
      'kept 1 h, KAFKA_EVENT_HOURS says 2 h',
      'min.insync.replicas=1: a broker that dies may lose what was acknowledged',
    ]);
    expect(of('dead.attribution')).not.toContainEqual(expect.stringMatching(/^kept/));
  });

  test('brokers that are away reject', async () => {
    await expect(compareTopics({ brokers: ['127.0.0.1:1'] }, productTopics(), settings)).rejects.toThrow();
  });
});
