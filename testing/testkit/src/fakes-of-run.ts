// Who takes pushes in an end-to-end suite: for the processes of `over-kafka/` those of the run, else ones of its own.
import { inject } from 'vitest';
import { type FakesApart, reachFakes, startFakesApart } from './push/fakes.ts';

export interface FakesOfRun extends FakesApart {
  /** What a system is started with, to send to them. */
  env: Record<string, string>;
}

export async function fakesOfRun(): Promise<FakesOfRun> {
  if (inject('over') === 'kafka') return { ...reachFakes(inject('stack').fakes), env: {}, close: async () => {} };
  const fakes = await startFakesApart();
  return { ...fakes, env: { FCM_URL: fakes.fcmUrl, APNS_URL: fakes.apnsUrl, PUSH_CA: fakes.ca } };
}
