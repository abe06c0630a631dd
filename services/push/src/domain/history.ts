// The history of a device: what its row and its deliveries tell, as events.
import type { DeviceEvent } from '@landfall/contracts';
import { type Became, causeOf, explainDelivery, type Missed } from './explain.ts';

type Registered = Pick<Missed, 'email' | 'emailSince' | 'firstSeen' | 'lastSeen' | 'droppedAt' | 'dropReason'> & {
  readonly emailBefore: string | null;
};

export interface Sent extends Became {
  readonly notificationId: string;
  readonly title: string;
}

const none = { state: null, notificationId: null, title: null };

/** The row keeps the first and the latest registration, and the latest change of its user. */
export function registrationsOf(device: Registered): DeviceEvent[] {
  const { firstSeen, lastSeen, emailSince, droppedAt, dropReason } = device;
  const events: DeviceEvent[] = [
    { ...none, at: firstSeen.toISOString(), kind: 'registered', explanation: 'The app registered the device.' },
  ];
  const add = (at: Date | null, kind: DeviceEvent['kind'], explanation: string) => {
    if (at) events.push({ ...none, at: at.toISOString(), kind, explanation });
  };
  const isSame = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();
  // An app that unregisters leaves the same time in all three.
  if (!isSame(lastSeen, firstSeen) && !isSame(lastSeen, droppedAt))
    add(lastSeen, 'seen', 'The app registered the device again. Earlier times are not kept.');
  if (!isSame(emailSince, droppedAt)) add(emailSince, 'person', explainPerson(device));
  add(droppedAt, 'dropped', `Nothing is sent there any more, because ${causeOf(dropReason)}.`);
  return events;
}

function explainPerson({ email, emailBefore }: Registered): string {
  if (email === null) return 'The user signed out.';
  return emailBefore === null || emailBefore === email ? 'A user signed in.' : 'Another user signed in.';
}

export function eventsOf(sent: Sent): DeviceEvent[] {
  const { notificationId, title, state, endedAt, nextAt, openedAt } = sent;
  const at = (endedAt ?? nextAt).toISOString();
  const explanation = explainDelivery({ ...sent, openedAt: null });
  const result: DeviceEvent = { at, kind: 'push', explanation, state, notificationId, title };
  if (openedAt === null) return [result];
  const opened = { at: openedAt.toISOString(), kind: 'opened', explanation: 'The user opened it.' } as const;
  return [{ ...opened, state: null, notificationId, title }, result];
}

export const latestFirst = (events: readonly DeviceEvent[]): DeviceEvent[] =>
  events.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
