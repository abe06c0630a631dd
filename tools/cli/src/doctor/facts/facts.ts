// Each fact is read once, when the first check asks for it.
import pTimeout from 'p-timeout';
import { once } from './ask.ts';
import { databaseRepository } from './database-repository.ts';
import { createGet } from './get.ts';
import { lookAtKafka } from './kafka-facts.ts';
import { createNames } from './names.ts';
import { lookAtRedis } from './redis-facts.ts';
import type { Setup } from './setup.ts';
import { lookAtSite } from './site.ts';

export type Found<T> = { facts: T } | { error: unknown };

export type Facts = ReturnType<typeof createFacts>;

/** Milliseconds that a check waits for the site. The check has its own time in addition. */
export const SITE_MS = 4_000;

export function createFacts(setup: Setup) {
  const names = createNames(setup.resolver, setup.patience);
  const get = createGet(names.lookup, setup);
  const repository =
    setup.databaseUrl === undefined ? undefined : databaseRepository(setup.databaseUrl, setup.patience);
  const kafka = setup.kafka && lookAtKafka(setup.kafka, setup.patience);
  const site = once(() =>
    pTimeout(lookAtSite({ setup, names, get, storedApps: repository?.apps }), {
      milliseconds: SITE_MS * setup.patience,
      fallback: () => undefined,
    }),
  );
  return {
    setup,
    names,
    get,
    /** Undefined when the settings name no database. `redis` and `kafka` follow the same rule. */
    database: repository && once(() => found(repository.look())),
    redis: setup.redisUrl === undefined ? undefined : once(() => found(lookAtRedis(setup.redisUrl!, setup.patience))),
    kafka,
    /** Of the one-process product, by group. Only when there is a database. */
    storedLetters: () => repository!.letters(),
    /** Resolves with undefined when the site does not answer in time. */
    site,
    async close() {
      await Promise.all([repository?.close(), kafka?.close()]);
    },
  };
}

const found = <T>(looking: Promise<T>): Promise<Found<T>> =>
  looking.then(
    (facts) => ({ facts }),
    (error: unknown) => ({ error }),
  );
