// Publishes how deliveries ended. The event ids follow from the delivery, so an event that is published twice keeps its
// id.
import { type Bus, eventId, type Log } from '@landfall/bus';
import { PushFailed, PushSent, PushTokenDropped } from '@landfall/contracts';
import type { Ended } from './queue/settlement-repository.ts';

/** The number of deliveries that are published at the same time. A bus accepts no more events than it can hold. */
const AT_ONCE = 100;

/**
 * Publishes the ended deliveries. Returns the ids of the published deliveries. The sweep publishes the others later.
 * Never rejects.
 */
export async function tellEnded(bus: Bus, log: Log, ended: readonly Ended[]): Promise<string[]> {
  const told: string[] = [];
  let failure: unknown;
  let next = 0;
  const one = async () => {
    // If one publication fails because of the bus, the others would fail, too.
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
  const { id, notificationId, appId, deviceId, platform, kind, state, endedAt } = delivery;
  const of = { notificationId, deliveryId: id, appId, deviceId, kind };
  const options = (name: string) => ({ id: eventId(id, name, 0), now: endedAt });
  if (delivery.dropReason !== null) {
    const data = { deviceId, appId, kind, reason: delivery.dropReason };
    await bus.tell(PushTokenDropped, data, options('PushTokenDropped'));
  }
  if (state === 'sent' || state === 'logged') {
    await bus.tell(PushSent, { ...of, logged: state === 'logged', platform }, options('PushSent'));
  } else {
    await bus.tell(PushFailed, { ...of, outcome: state, reason: delivery.reason ?? '' }, options('PushFailed'));
  }
}
