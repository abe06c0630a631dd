// The conformance suite: every adapter of the bus must pass it. It needs vitest; only tests import it.
import { describe } from 'vitest';
import { asks } from './asks.ts';
import { backlogs } from './backlogs.ts';
import { batches } from './batches.ts';
import { type Features, type MakeAdapter, type MakeBus, overOneBus } from './cluster.ts';
import { deadlines } from './deadlines.ts';
import { events } from './events.ts';
import { failures } from './failures.ts';
import { lifecycle } from './lifecycle.ts';
import { members } from './members.ts';

export type { Cluster, ClusterOptions, Feature, Features, MakeAdapter } from './cluster.ts';

/** Holds the adapter that `make` makes to the port. Call it at the top of a test file. */
export function conformance(name: string, features: Features, make: MakeAdapter): void {
  const makeBus: MakeBus = async (options) => ({ ...(await make(options)), features });
  describe(`${name} is a bus`, () => {
    overOneBus(makeBus, { asks, batches, deadlines, failures, events, backlogs });
    lifecycle(makeBus);
    members(makeBus, features);
  });
}
