import { AnalyticsRetentionConfig, ClickHouseConfig, countedTopics } from '@landfall/analytics';
import { makeTables, type OnClickHouse, readerOf, readTopics } from '@landfall/analytics/clickhouse';
import { productDashboard } from '@landfall/analytics/dashboard';
import { replayEvents } from '@landfall/bus/kafka';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { Argument } from 'commander';
import { z } from 'zod';
import { type AddCommand, whileOpen } from '../command.ts';
import { databaseUrlOf } from '../database-url.ts';
import { type AnalyticsRepository, analyticsRepository } from './analytics-repository.ts';

const REBUILD = `
Reads all events that the public topics hold, adds those that analytics does not have, and makes the counts of every app anew
from its events. Counts of days whose events are no longer kept (KEEP_ANALYTICS_DAYS) stay as they are. Landfall may run
meanwhile. Over Kafka the command needs KAFKA_BROKERS and the further variables with which the services reach it, and
DATABASE_URL. Without KAFKA_BROKERS it reads no topics. With ANALYTICS_URL, ClickHouse reads the topics again from their
beginning, and the command does not wait for it.`;

const CLICKHOUSE = `
Makes the tables that are missing in the ClickHouse of ANALYTICS_URL, and lets it read the public topics from where it was. Run it
before the first start with ANALYTICS_URL, after each update of Landfall, and after a change of KEEP_ANALYTICS_DAYS. It needs
DATABASE_URL, KAFKA_BROKERS and the further variables with which the services reach Kafka.`;

const BROKERS = 'how ClickHouse reaches the brokers, when not by KAFKA_BROKERS';
const NO_DATABASE = 'There is no database of analytics: set DATABASE_URL';

export const addAnalytics: AddCommand = (program, { env, print }) => {
  const command = program
    .command('analytics')
    .description('Count the events of analytics again, prepare ClickHouse, or print the dashboard.')
    .helpCommand(false);

  command
    .command('rebuild')
    .description('Makes the counts anew from the events of the topics.')
    .option('--brokers <addresses>', BROKERS)
    .addHelpText('after', REBUILD)
    .action(({ brokers }: { brokers?: string }) =>
      within(async (analytics) => print(await rebuild(analytics, brokers))),
    );

  command
    .command('clickhouse')
    .description('Makes the tables in ClickHouse, which then reads the topics.')
    .option('--brokers <addresses>', BROKERS)
    .addHelpText('after', CLICKHOUSE)
    .action(({ brokers }: { brokers?: string }) =>
      within(async ({ openClickHouse }) => {
        await prepareClickHouse(env, openClickHouse, 'before', brokers);
        print('The tables are there, and ClickHouse reads the topics.');
      }),
    );

  command
    .command('dashboard')
    .description('Prints the product dashboard for Grafana.')
    .addArgument(new Argument('<store>', 'where it reads the figures').choices(['postgresql', 'clickhouse']))
    .action((store: 'postgresql' | 'clickhouse') => print(JSON.stringify(productDashboard(store), null, 2)));

  const within = (act: (analytics: AnalyticsRepository) => Promise<void>) =>
    whileOpen(analyticsRepository(databaseUrlOf(env, NO_DATABASE)), act);

  async function rebuild(analytics: AnalyticsRepository, brokers?: string): Promise<string> {
    if (env.ANALYTICS_URL || env.ANALYTICS_URL_FILE) {
      await prepareClickHouse(env, analytics.openClickHouse, 'start', brokers);
      return 'ClickHouse reads the topics from their beginning. Events that it has are replaced, and count once.';
    }
    if (env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE) print(await replayTopics(env, analytics));
    const apps = await analytics.recountAll();
    return `Counted the events of ${apps === 1 ? '1 app' : `${apps} apps`} again.`;
  }
};

async function replayTopics(env: NodeJS.ProcessEnv, analytics: AnalyticsRepository): Promise<string> {
  const { connection, prefix } = kafkaOptions(readConfig(KafkaConfig, env));
  const { events, skipped } = await replayEvents(connection, analytics.countings, prefix).catch((error: Error) => {
    throw new StartError(`The topics could not be read: ${error.message}.`);
  });
  const left = skipped === 0 ? '' : ` ${skipped} records are no events of Landfall and were left out.`;
  return `Read ${events} events from the topics.${left}`;
}

/** The consumer group of ClickHouse, which reads the topics again under a name that begins with it. */
const GROUP = 'analytics-clickhouse';
const HOUR_MS = 3_600_000;

const OnClickHouseConfig = z.object({
  ...ClickHouseConfig.required().shape,
  ...AnalyticsRetentionConfig.shape,
  ...KafkaConfig.shape,
});

/** From the `start` of the topics, under a new group, or from where it was. `brokers`: as ClickHouse reaches them. */
async function prepareClickHouse(
  env: NodeJS.ProcessEnv,
  open: (address: string) => OnClickHouse,
  from: 'start' | 'before',
  brokers?: string,
): Promise<void> {
  const config = readConfig(OnClickHouseConfig, env);
  const { connection, prefix = '', topics } = kafkaOptions(config);
  const { sasl, tls } = connection;
  const { clickhouse, mirror } = open(config.ANALYTICS_URL);
  await whileOpen(clickhouse, async () => {
    await makeTables(clickhouse, config.KEEP_ANALYTICS_DAYS);
    // Events of these days may be read, and their visitors are hashed with the salt of the day.
    const now = new Date();
    await mirror.copySince(new Date(now.getTime() - topics.eventHours * HOUR_MS), now);
    const group = `${prefix}${GROUP}`;
    await readTopics(clickhouse, {
      brokers: brokers?.split(',') ?? connection.brokers,
      topics: countedTopics.map((topic) => `${prefix}${topic}`),
      group: from === 'start' ? `${group}-${now.getTime()}` : ((await readerOf(clickhouse))?.group ?? group),
      tls: tls !== undefined,
      sasl: sasl && { ...sasl, mechanism: sasl.mechanism.toUpperCase() },
    });
  }).catch((error: Error) => {
    throw new StartError(`ClickHouse could not be prepared: ${error.message}`);
  });
}
