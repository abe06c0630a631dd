import type { Notification } from '@landfall/api-client';
import { expect, it } from 'vitest';
import { changeOf, plannedValuesOf, targetOf, valuesOf } from './push-fields.ts';

const push = {
  message: {
    title: 'Title',
    body: 'Body',
    destinationPath: '/there',
    metadata: {},
    imageUrl: null,
    sound: 'bell.caf',
    badge: null,
    collapseKey: null,
    priority: null,
    silent: false,
    category: 'order',
    mutableContent: null,
    ios: { title: 'On iPhones', interruptionLevel: 'passive' },
    android: null,
    localized: {},
    test: false,
  },
  target: { platform: null, emails: 2, tokens: null, seenWithinDays: 30 },
  sendAt: '2030-01-01T12:00:00.000Z',
  expiresAt: '2030-01-29T12:00:00.000Z',
} as unknown as Notification;

it('changes nothing of a push that the form did not change, and keeps what it does not show', () => {
  const before = plannedValuesOf(push, 'UTC');
  expect(changeOf(push, before, before, 'UTC')).toEqual({});
  const after = {
    ...before,
    destinationPath: '',
    interruptionLevel: null,
    scheduleAt: '2030-01-02T12:00',
    ttlHours: 2,
  };
  expect(changeOf(push, before, after, 'UTC')).toEqual({
    destinationPath: null,
    ios: { title: 'On iPhones' },
    scheduleAt: '2030-01-02T12:00:00.000Z',
    ttlSeconds: 7_200,
  });
  expect(changeOf(push, before, { ...before, audience: 'ios' }, 'UTC')).toEqual({
    target: { platform: 'ios', seenWithinDays: 30 },
  });
});

it('names nobody for a push to people that is sent again, until they are entered', () => {
  expect(targetOf(valuesOf(push))).toBeNull();
  expect(targetOf(plannedValuesOf(push, 'UTC'))).toBeNull();
});
