// The fake push servers of an end-to-end suite: those of the run for the processes of `over-kafka/`, else its own.
import { inject } from 'vitest';
import { type FakesApart, reachFakes, startFakesApart } from './push/fakes.ts';

export interface FakesOfRun extends FakesApart {
  /** The variables with which a system sends to them. */
  env: Record<string, string>;
}

export async function fakesOfRun(): Promise<FakesOfRun> {
  if (inject('over') === 'kafka') return { ...reachFakes(inject('stack').fakes), env: {}, close: async () => {} };
  const fakes = await startFakesApart();
  return { ...fakes, env: { FCM_URL: fakes.fcmUrl, APNS_URL: fakes.apnsUrl, PUSH_CA: fakes.ca } };
}
