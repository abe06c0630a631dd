import type { PushTarget } from '@landfall/contracts';
import { expect, it } from 'vitest';
import { causeOf, explainMissed, type Missed, type MissedBy } from './explain.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour));
const everybody: PushTarget = { platform: null, emails: null, tokens: null, seenWithinDays: null };
const device: Missed = {
  ...{ platform: 'ios', tokenHash: 'token', email: 'ann', emailSince: null },
  ...{ firstSeen: at(1), lastSeen: at(1), droppedAt: null, dropReason: null },
};
const sent: MissedBy = { target: everybody, sendAt: at(10), cancelledAt: null, stoppedAt: null, expandedAt: at(10) };

it.each<[Partial<Missed>, Partial<MissedBy>, string]>([
  [{}, { cancelledAt: at(9) }, 'taken back'],
  [{}, { sendAt: at(20) }, 'is sent on'],
  [{ firstSeen: at(11) }, {}, 'after the notification was sent'],
  [{ droppedAt: at(9), dropReason: 'UNREGISTERED' }, {}, 'the app was removed from the device'],
  [{}, { target: { ...everybody, platform: 'android' } }, 'for android only'],
  [{}, { target: { ...everybody, emails: ['ben'] } }, 'other people'],
  [
    { email: null, emailSince: at(9) },
    { target: { ...everybody, emails: ['ann'] } },
    'not signed in on this device since',
  ],
  [{ emailSince: at(11) }, { target: { ...everybody, emails: ['ann'] } }, 'after the notification was sent'],
  [{}, { target: { ...everybody, tokens: ['another'] } }, 'other devices'],
  [{ lastSeen: new Date(0) }, { target: { ...everybody, seenWithinDays: 7 } }, 'in the 7 days before'],
  [{}, { stoppedAt: at(10) }, 'was stopped'],
  [{}, { expandedAt: null }, 'still being looked up'],
])('a device %j and a notification %j: %s', (more, by, says) => {
  expect(explainMissed({ ...device, ...more }, { ...sent, ...by }, 'ann', at(12))).toContain(says);
});

it('says what a provider said, also in words that nobody knows', () => {
  expect(causeOf('UNREGISTERED')).toMatch(/removed.*\(UNREGISTERED\)$/);
  expect(causeOf('BrandNewReason')).toBe('the provider answered BrandNewReason');
  expect(causeOf('constructor')).toBe('the provider answered constructor');
});
