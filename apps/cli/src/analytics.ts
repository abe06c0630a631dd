// Analytics: counts everything again.
import { replayEvents } from '@landfall/bus/kafka';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { type AnalyticsRepository, analyticsRepository } from './analytics-repository.ts';
import type { AddCommand } from './command.ts';
import { databaseUrlOf } from './database-url.ts';
import { quiet } from './quiet.ts';

const HELP = `
Reads all events that the public topics hold, adds those that analytics does not have, and makes the counts of every app anew
from its events. Counts of days whose events are no longer kept (KEEP_ANALYTICS_DAYS) stay as they are. Landfall may run
meanwhile. Over Kafka the command needs KAFKA_BROKERS and the further variables with which the services reach it, and
DATABASE_URL. Without KAFKA_BROKERS it reads no topics.`;

const NO_DATABASE = 'There is nothing to count: set DATABASE_URL';

export const addAnalytics: AddCommand = (program, { env, print }) => {
  program
    .command('analytics')
    .description('Count the events of analytics again.')
    .helpCommand(false)
    .command('rebuild')
    .description('Makes the counts anew from the events of the topics.')
    .addHelpText('after', HELP)
    .action(async () => {
      const analytics = analyticsRepository(databaseUrlOf(env, NO_DATABASE));
      try {
        if (env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE) print(await readTopics(env, analytics));
        const apps = await analytics.recountAll();
        print(`Counted the events of ${apps === 1 ? '1 app' : `${apps} apps`} again.`);
      } finally {
        await analytics.close();
      }
    });
};

async function readTopics(env: NodeJS.ProcessEnv, analytics: AnalyticsRepository): Promise<string> {
  const { connection, prefix } = kafkaOptions(readConfig(KafkaConfig, env));
  const { events, skipped } = await replayEvents(connection, analytics.countings, quiet, prefix).catch(
    (error: Error) => {
      throw new StartError(`The topics could not be read: ${error.message}.`);
    },
  );
  const left = skipped === 0 ? '' : ` ${skipped} records are no events of Landfall and were left out.`;
  return `Read ${events} events from the topics.${left}`;
}
