// Analytics: counts everything again.
import { countings, recountAll } from '@landfall/analytics';
import { replayEvents } from '@landfall/bus/kafka';
import { connect, type Database } from '@landfall/db';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import type { AddCommand } from './command.ts';
import { databaseUrlOf } from './database-url.ts';
import { quiet } from './quiet.ts';

const HELP = `
Reads all events that the public topics hold, adds those that analytics does not have, and makes the counts of every app anew
from its events. Counts of days whose events are no longer kept (KEEP_ANALYTICS_DAYS) stay as they are. Landfall may run
meanwhile. Over Kafka the command needs KAFKA_BROKERS and the further variables with which the services reach it, and
DATABASE_URL. Without KAFKA_BROKERS it reads no topics.`;

const NO_DATABASE = 'There is nothing to count: set DATABASE_URL';
/** Counting the events of an app is one statement for each metric. */
const LIMITS = { statement: 0, lock: 60_000, idleTransaction: 600_000 };

export const addAnalytics: AddCommand = (program, { env, print }) => {
  program
    .command('analytics')
    .description('Count the events of analytics again.')
    .helpCommand(false)
    .command('rebuild')
    .description('Makes the counts anew from the events of the topics.')
    .addHelpText('after', HELP)
    .action(async () => {
      const database = connect({ url: databaseUrlOf(env, NO_DATABASE), max: 2, limits: LIMITS });
      try {
        if (env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE) print(await readTopics(env, database));
        const apps = await recountAll(database);
        print(`Counted the events of ${apps === 1 ? '1 app' : `${apps} apps`} again.`);
      } finally {
        await database.close();
      }
    });
};

async function readTopics(env: NodeJS.ProcessEnv, database: Database): Promise<string> {
  const { connection, prefix } = kafkaOptions(readConfig(KafkaConfig, env));
  const { events, skipped } = await replayEvents(connection, countings(database), quiet, prefix).catch(
    (error: Error) => {
      throw new StartError(`The topics could not be read: ${error.message}.`);
    },
  );
  const left = skipped === 0 ? '' : ` ${skipped} records are no events of Landfall and were left out.`;
  return `Read ${events} events from the topics.${left}`;
}
