// Opens the dead letters, in Kafka or in the database of the one-process product.
import { openDeadLetters } from '@landfall/bus/kafka';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { databaseUrlOf } from '../database-url.ts';
import { quiet } from '../quiet.ts';
import { deadLetterRepository } from './dead-letter-repository.ts';
import type { Letters } from './letter.ts';

/** Throws a StartError with a message when the dead letters cannot be reached. Later calls may throw it, too. */
export function openLetters(env: NodeJS.ProcessEnv): Letters {
  return env.KAFKA_BROKERS || env.KAFKA_BROKERS_FILE ? inKafka(env) : inDatabase(env);
}

function inKafka(env: NodeJS.ProcessEnv): Letters {
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

function inDatabase(env: NodeJS.ProcessEnv): Letters {
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
        'In one process nothing brings a message back. Whoever sent a command was told that it failed and may send it again; what a listener left undone is to be mended by hand (dlq show has all of it). Replay needs Kafka: see docs/guides/scaling-out.md.',
      );
    },
  };
}
