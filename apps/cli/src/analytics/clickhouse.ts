// Prepares ClickHouse: its tables, and from where it reads the topics.
import { AnalyticsRetentionConfig, ClickHouseConfig, countedTopics } from '@landfall/analytics';
import { type EventSource, makeTables, type OnClickHouse, readerOf, readTopics } from '@landfall/analytics/clickhouse';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';

/** The consumer group of ClickHouse, which reads the topics again under a name that begins with it. */
const GROUP = 'analytics-clickhouse';
const HOUR_MS = 3_600_000;

const Config = z.object({
  ...ClickHouseConfig.required().shape,
  ...AnalyticsRetentionConfig.shape,
  ...KafkaConfig.shape,
});

/** @param open opens the ClickHouse at an address */
export function clickHouseCommands(env: NodeJS.ProcessEnv, open: (address: string) => OnClickHouse) {
  const config = readConfig(Config, env);
  const { connection, prefix = '', topics } = kafkaOptions(config);
  const group = `${prefix}${GROUP}`;

  return {
    /**
     * Makes the tables, and lets ClickHouse read the topics from where it was.
     * @param brokers as ClickHouse reaches them, comma-separated
     */
    setUp: (brokers?: string) =>
      using(async ({ clickhouse }) =>
        readTopics(clickhouse, sourceOf((await readerOf(clickhouse))?.group ?? group, brokers)),
      ),

    /** The same, from the beginning of the topics: under the name of a new group. */
    readAgain: (brokers?: string) =>
      using(({ clickhouse }) => readTopics(clickhouse, sourceOf(`${group}-${Date.now()}`, brokers))),
  };

  async function using(read: (on: OnClickHouse) => Promise<void>): Promise<void> {
    const on = open(config.ANALYTICS_URL);
    try {
      await makeTables(on.clickhouse, config.KEEP_ANALYTICS_DAYS);
      // Events of these days may be read, and their visitors are hashed with the salt of the day.
      const now = new Date();
      await on.mirror.copySince(new Date(now.getTime() - topics.eventHours * HOUR_MS), now);
      await read(on);
    } catch (error) {
      throw new StartError(`ClickHouse could not be prepared: ${(error as Error).message}`);
    } finally {
      await on.clickhouse.close();
    }
  }

  function sourceOf(group: string, brokers: string | undefined): EventSource {
    const { sasl, tls } = connection;
    return {
      brokers: brokers?.split(',') ?? connection.brokers,
      topics: countedTopics.map((topic) => `${prefix}${topic}`),
      group,
      tls: tls !== undefined,
      sasl: sasl && { ...sasl, mechanism: sasl.mechanism.toUpperCase() },
    };
  }
}
