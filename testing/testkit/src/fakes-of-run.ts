// Returns the fake push servers of an end-to-end suite. A suite over the processes of `over-kafka/` uses the servers of
// the run. Any other suite starts its own servers.
import { inject } from 'vitest';
import { type FakesApart, reachFakes, startFakesApart } from './push/fakes.ts';

export interface FakesOfRun extends FakesApart {
  /** The environment variables that make a system send to the fake servers. */
  env: Record<string, string>;
}

export async function fakesOfRun(): Promise<FakesOfRun> {
  if (inject('over') === 'kafka') return { ...reachFakes(inject('stack').fakes), env: {}, close: async () => {} };
  const fakes = await startFakesApart();
  return { ...fakes, env: { FCM_URL: fakes.fcmUrl, APNS_URL: fakes.apnsUrl, PUSH_CA: fakes.ca } };
}
