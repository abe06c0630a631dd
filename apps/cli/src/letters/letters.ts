// Opens the dead letters, in Kafka or in the database of the one-process product.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openDeadLetters } from '@landfall/bus/kafka';
import { KafkaConfig, kafkaOptions, readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
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

const DatabaseConfig = z.object({
  LANDFALL_DATA: z.string().default('.landfall'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' }).optional(),
});

function inDatabase(env: NodeJS.ProcessEnv): Letters {
  const { LANDFALL_DATA, DATABASE_URL } = readConfig(DatabaseConfig, env);
  const repository = deadLetterRepository(DATABASE_URL ?? embeddedUrl(LANDFALL_DATA));
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

function embeddedUrl(folder: string): string {
  const file = path.join(folder, 'database-url');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new StartError(
      `There are no letters to look for: set KAFKA_BROKERS or DATABASE_URL, or start npm start first, which writes ${file}.`,
    );
  }
}
