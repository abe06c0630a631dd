// Opens the dead letters, in Kafka or in the database of the one-process product.

import type { OperatorsDeadLetterBox } from '@landfall/bus';
import { openDeadLetters } from '@landfall/bus/kafka';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { databaseUrlOf } from '../database-url.ts';
import { quiet } from '../quiet.ts';
import { deadLetterRepository } from './dead-letter-repository.ts';

/** Throws a StartError with a message when the dead letters cannot be reached. Later calls may throw it, too. */
export function openLetters(env: NodeJS.ProcessEnv): OperatorsDeadLetterBox {
  return env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE ? inKafka(env) : inDatabase(env);
}

function inKafka(env: NodeJS.ProcessEnv): OperatorsDeadLetterBox {
  const { connection, prefix } = kafkaOptions(readConfig(KafkaConfig, env));
  const box = openDeadLetters(connection, quiet, prefix);
  return {
    ...box,
    groups: () =>
      box.groups().catch((error: Error) => {
        throw new StartError(`The brokers of KAFKA_BROKERS do not answer: ${error.message}.`);
      }),
  };
}

function inDatabase(env: NodeJS.ProcessEnv): OperatorsDeadLetterBox {
  const url = databaseUrlOf(env, 'There are no letters to look for: set KAFKA_BROKERS or DATABASE_URL');
  const repository = deadLetterRepository(url);
  return {
    ...repository,
    groups: () =>
      repository.groups().catch((error: Error) => {
        throw new StartError(`The database does not show its dead letters: ${error.message}.`);
      }),
    async replay() {
      throw new StartError(
        'In one process only the running Landfall can replay: an owner of the instance does it in the web app, on the page Dead letters.',
      );
    },
  };
}
