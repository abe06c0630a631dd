// The parts of an adapter that the suite needs besides the port, and the code that runs a table of cases over one bus.
import type { DeadLetter } from '@landfall/contracts';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { Log } from '../observer.ts';
import type { Bus } from '../port.ts';
import { CONFORMANCE_TOPICS } from './messages.ts';

/** True, or the reason why the adapter lacks the feature: its cases then test the opposite, or leave it out. */
export type Feature = true | string;

export interface Features {
  /** `ask` and `tell` resolve when every listener has committed, not already when the message is durable. */
  waitsForListeners: Feature;
  /** All messages that arrive while a batch runs are in the next batch. */
  gathersAll: Feature;
  /** A query whose caller has timed out does not reach its handler. */
  dropsStaleQueries: Feature;
  /** Processes share the work. {@link Cluster.another} creates one more member. */
  severalMembers: Feature;
  /** An event that is published while no member of a group runs reaches the next member that starts. */
  survivesRestart: Feature;
  nobodyAnswers: 'Busy' | 'NoAnswer';
  /** The maximum number of concurrent `ask` calls for one request. The next call gets Busy. */
  mostAsks: number;
  /** The number of events that may wait for one listener, before `tell` gets Busy; or why there is no limit. */
  mostTold: number | string;
}

export interface Cluster {
  /** The bus of the first member. It is not started yet. */
  bus: Bus;
  /** Creates one more member of the same cluster, like another process. The member is not started yet. */
  another?(): Promise<Bus>;
  /** Resolves when no message waits and no handler runs, in any member. */
  settled(): Promise<void>;
  deadLetters(): Promise<readonly DeadLetter[]>;
  close(): Promise<void>;
  features: Features;
}

export interface ClusterOptions {
  log: Log;
  isTransient: (error: unknown) => boolean;
  topics: readonly string[];
}

/** The features of the adapter are stated separately, before any test runs. */
export type MakeAdapter = (options: ClusterOptions) => Promise<Omit<Cluster, 'features'>>;

export type MakeBus = (options: ClusterOptions) => Promise<Cluster>;

export const ATTEMPTS = 3;

/** Returns an error that {@link ClusterOptions.isTransient} recognises as an infrastructure error. */
export const outage = (): Error => Object.assign(new Error('the database is away'), { outage: true });

/** Returns the options for an adapter. Adds the message id of every logged error to `errors`. */
export function clusterOptions(errors: unknown[] = []): ClusterOptions {
  const log = { debug() {}, info() {}, warn() {}, error: (fields: { id?: unknown }) => void errors.push(fields.id) };
  return { log, isTransient: (error) => error instanceof Error && 'outage' in error, topics: CONFORMANCE_TOPICS };
}

export type Run = (cluster: Cluster & { errors: unknown[] }) => Promise<void>;

/** The cases by title. A case registers its handlers, and returns the steps that run after the start. */
export type Cases = Record<string, (bus: Bus) => Run>;

/** Runs all cases over one bus, because a start may take seconds. */
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

/** A test with a bus of its own, which the case starts. */
export const overItsOwnBus =
  (makeBus: MakeBus) =>
  (title: string, run: (cluster: Cluster, another: () => Promise<Bus>) => Promise<void>): void =>
    test(title, { timeout: 60_000 }, async () => {
      const cluster = await makeBus(clusterOptions());
      try {
        await run(cluster, () => cluster.another!());
      } finally {
        await cluster.close();
      }
    });
