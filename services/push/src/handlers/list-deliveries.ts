import type { One } from '@landfall/bus';
import { cursorAfter, type InputOf, type ListDeliveries, PushDelivery, readCursor, reader } from '@landfall/contracts';
import { explainDelivery, explainMissed } from '../domain/explain.ts';
import type { Stored } from '../domain/notification.ts';
import type { KnownDevice, StoredDelivery } from '../repositories/delivery-repository.ts';
import type { PushRepository } from '../repositories/push-repository.ts';

type Input = InputOf<typeof ListDeliveries>;
interface Page {
  readonly deliveries: PushDelivery[];
  /** The last device that was read; null at the end. */
  readonly to: string | null;
}

export function listDeliveries(push: PushRepository): One<typeof ListDeliveries> {
  return async (input, { now }) => {
    const found = await push.notifications.find(input.notificationId);
    if (!found) return { refusal: { code: 'NOTIFICATION_NOT_FOUND', facts: {} } };
    const ofSome = input.email !== null || input.deviceId !== null;
    const { deliveries, to } = await (ofSome ? someDevices(push, input, found, now) : allDevices(push, input));
    const unknown = ofSome && input.cursor === null && deliveries.length === 0 && to === null && input.state === null;
    return {
      reply: {
        deliveries,
        explanation: unknown ? nobodyKnown(input) : null,
        next: to && cursorAfter({ at: new Date(0), id: to }),
      },
    };
  };
}

const nobodyKnown = ({ email }: Input): string =>
  email === null
    ? 'The app has no such device, or it has not registered for so long that it was forgotten.'
    : 'No device is known on which this person is or was signed in.';

async function allDevices(
  { deliveries }: PushRepository,
  { notificationId, state, cursor, limit }: Input,
): Promise<Page> {
  if (state === 'none') return { deliveries: [], to: null };
  const page = await deliveries.list(notificationId, state, readCursor(cursor)?.id ?? null, limit);
  return { deliveries: page.deliveries.map(shownDelivery), to: page.to };
}

/** Includes the devices of the person that the notification was not sent to. */
async function someDevices(push: PushRepository, input: Input, of: Stored, now: Date): Promise<Page> {
  const { email, deviceId, state, limit } = input;
  const after = readCursor(input.cursor)?.id ?? null;
  const devices = await devicesOf(push, input, of.appId, after);
  const sent = await push.deliveries.ofDevices(of.id, deviceId === null ? devices.map(({ id }) => id) : [deviceId]);
  const byDevice = new Map(sent.map((delivery) => [delivery.deviceId, delivery]));
  const known = devices.map((device) => {
    const delivery = byDevice.get(device.id);
    return delivery ? shownDelivery(delivery) : shownMissed(device, explainMissed(device, of, email, now));
  });
  // A device can be deleted before its deliveries.
  const forgotten = email === null ? sent.filter((one) => !devices.some(({ id }) => id === one.deviceId)) : [];
  const all = [...known, ...forgotten.map(shownDelivery)];
  return {
    deliveries: all.filter((one) => state === null || one.state === state),
    to: deviceId === null && devices.length === limit ? devices.at(-1)!.id : null,
  };
}

async function devicesOf(
  { deliveries }: PushRepository,
  { email, deviceId, limit }: Input,
  appId: string,
  after: string | null,
) {
  if (deviceId === null) return deliveries.devicesOf(appId, email!, null, after, limit);
  const device = await deliveries.device(appId, deviceId);
  const theirs = device && (email === null || device.email === email || device.emailBefore === email);
  return theirs ? [device] : [];
}

const toDelivery = reader(PushDelivery);

const shownDelivery = (one: StoredDelivery): PushDelivery =>
  toDelivery({ ...one, explanation: explainDelivery(one), nextAt: one.state === 'queued' ? one.nextAt : null });

const shownMissed = ({ id, platform, kind, language }: KnownDevice, explanation: string): PushDelivery => ({
  ...{ id: null, deviceId: id, platform, kind, language, state: 'none', reason: null, explanation },
  ...{ attempts: 0, nextAt: null, endedAt: null, openedAt: null },
});
