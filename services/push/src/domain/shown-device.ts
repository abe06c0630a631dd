import type { PersonsDevice } from '@landfall/contracts';
import { explainDevice, type Missed } from './explain.ts';

type Known = Missed & Pick<PersonsDevice, 'id' | 'platform' | 'kind' | 'environment' | 'language'>;

/** @param person the hash of the user in question; null: no user */
export function shownDevice(device: Known, person: string | null): PersonsDevice {
  const { id, platform, kind, environment, language, email, droppedAt, dropReason } = device;
  const state = droppedAt ? 'dropped' : person === null || email === person ? 'live' : 'signed-out';
  return {
    ...{ id, platform, kind, environment, language, state, dropReason },
    explanation: explainDevice(device, person),
    firstSeen: device.firstSeen.toISOString(),
    lastSeen: device.lastSeen.toISOString(),
    droppedAt: droppedAt?.toISOString() ?? null,
  };
}
