// Tells how deliveries ended. Ids follow from the delivery, so that what is told twice is one event.
import { type Bus, eventId, type Log } from '@landfall/bus';
import { PushFailed, PushSent, PushTokenDropped } from '@landfall/contracts';
import type { Ended } from './queue/settlement-repository.ts';

/** At once; a bus takes no more than it can hold. */
const AT_ONCE = 100;

/** Gives the ids of those that are told; the others are left to the sweep. Never rejects. */
export async function tellEnded(bus: Bus, log: Log, ended: readonly Ended[]): Promise<string[]> {
  const told: string[] = [];
  let failure: unknown;
  let next = 0;
  const one = async () => {
    // The state of the bus that one of them finds holds for the rest.
    while (next < ended.length && !failure) {
      const delivery = ended[next++]!;
      try {
        await tellOne(bus, delivery);
        told.push(delivery.id);
      } catch (error) {
        failure = error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ended.length) }, one));
  if (failure) {
    log.warn(
      { err: failure, untold: ended.length - told.length },
      'outcomes of pushes could not be published: they are retried',
    );
  }
  return told;
}

async function tellOne(bus: Bus, delivery: Ended): Promise<void> {
  const { id, notificationId, appId, deviceId, kind, state, endedAt } = delivery;
  const of = { notificationId, deliveryId: id, appId, deviceId, kind };
  const options = (name: string) => ({ id: eventId(id, name, 0), now: endedAt });
  if (delivery.dropReason !== null) {
    const data = { deviceId, appId, kind, reason: delivery.dropReason };
    await bus.tell(PushTokenDropped, data, options('PushTokenDropped'));
  }
  if (state === 'sent' || state === 'logged') {
    await bus.tell(PushSent, { ...of, logged: state === 'logged' }, options('PushSent'));
  } else {
    await bus.tell(PushFailed, { ...of, outcome: state, reason: delivery.reason ?? '' }, options('PushFailed'));
  }
}
