// The conformance suite. Every adapter of the bus must pass it. The suite needs vitest, so only tests import it.
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

/** Tests that the adapter from `make` follows the rules of the port. Call it at the top level of a test file. */
export function conformance(name: string, features: Features, make: MakeAdapter): void {
  const makeBus: MakeBus = async (options) => ({ ...(await make(options)), features });
  describe(`${name} is a bus`, () => {
    overOneBus(makeBus, { asks, batches, deadlines, failures, events, backlogs });
    lifecycle(makeBus);
    members(makeBus, features);
  });
}
