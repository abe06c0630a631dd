// The parts that the suite needs of an adapter besides the port, and the table of its cases over one bus.

import type { DeadLetter } from '@landfall/contracts';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Log } from '../log.ts';
import type { Bus } from '../port.ts';
import { CONFORMANCE_TOPICS } from './messages.ts';

/** True, or the reason why the adapter does not do it: its cases then show the contrary, or leave that part out. */
export type Feature = true | string;

export interface Features {
  /** `ask` and `tell` resolve when every listener has committed, not when the message is durable. */
  waitsForListeners: Feature;
  /** Messages that came while a batch ran are all in the next one. */
  gathersAll: Feature;
  /** A query whose asker has given up is not handed to its handler. */
  dropsStaleQueries: Feature;
  /** Processes share the work: {@link Cluster.another} makes one more. */
  severalMembers: Feature;
  /** An event told while none of a group's members ran reaches the next that starts. */
  survivesRestart: Feature;
  /** The error of an ask that nobody answers. */
  nobodyAnswers: 'Busy' | 'NoAnswer';
  /** The number of asks of one request at a time; the next one gets Busy. */
  mostAsks: number;
  /** The number of events that may wait for one listener; the next `tell` gets Busy. */
  mostTold: number | string;
}

export interface Cluster {
  /** Not started yet. */
  bus: Bus;
  /** One more member of the same cluster, as another process would be. Not started yet. */
  another?(): Promise<Bus>;
  /** Makes the bus miss events, as far as its watchers can know. */
  gap?(): Promise<void>;
  /** Resolves when nothing waits and nothing runs, in all members. */
  settled(): Promise<void>;
  /** Every dead letter so far. */
  deadLetters(): Promise<readonly DeadLetter[]>;
  /** Stops all members. */
  close(): Promise<void>;
  features: Features;
}

/** The options of the adapter under test. */
export interface ClusterOptions {
  log: Log;
  isTransient: (error: unknown) => boolean;
  topics: readonly string[];
  /** The number of single attempts for a message on which its handler throws. */
  attempts: number;
}

/** Makes the adapter; what it does is stated beside it, before any test runs. */
export type MakeAdapter = (options: ClusterOptions) => Promise<Omit<Cluster, 'features'>>;

export type MakeBus = (options: ClusterOptions) => Promise<Cluster>;

export const ATTEMPTS = 3;

/** An error that {@link ClusterOptions.isTransient} knows as the infrastructure's. */
export const outage = (): Error => Object.assign(new Error('the database is away'), { outage: true });

/** `errors` gets the message id of everything that somebody must look at. */
export function clusterOptions(errors: unknown[] = []): ClusterOptions {
  const log = { debug() {}, info() {}, warn() {}, error: (fields: { id?: unknown }) => void errors.push(fields.id) };
  return {
    log,
    isTransient: (error) => error instanceof Error && 'outage' in error,
    topics: CONFORMANCE_TOPICS,
    attempts: ATTEMPTS,
  };
}

/** The steps of a case once the bus runs. */
export type Run = (cluster: Cluster & { errors: unknown[] }) => Promise<void>;

/** By what they show. A case registers what it needs and gives what it does after the start. */
export type Cases = Record<string, (bus: Bus) => Run>;

/** Runs all cases over one bus, since a start may take seconds. */
export function overOneBus(makeBus: MakeBus, tables: Record<string, Cases>): void {
  const runs = new Map<string, Run>();
  const errors: unknown[] = [];
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await makeBus(clusterOptions(errors));
    for (const cases of Object.values(tables))
      for (const [title, register] of Object.entries(cases)) runs.set(title, register(cluster.bus));
    await cluster.bus.start();
  }, 60_000);
  afterAll(() => cluster?.close(), 60_000);

  for (const [group, cases] of Object.entries(tables)) {
    describe(group, () => {
      for (const title of Object.keys(cases)) {
        test(title, async () => {
          await runs.get(title)!({ ...cluster, errors });
          await cluster.settled();
        });
      }
    });
  }
}
