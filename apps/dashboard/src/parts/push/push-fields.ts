// The fields of the form for a push, and the request that they make.

import type { Notification } from '@landfall/api-client';
import { objectOf } from '../forms/changes.ts';
import { instantIn } from '../time-zone.ts';

export const AUDIENCES = ['all', 'ios', 'android', 'people', 'tokens'] as const;
export const LEVELS = ['passive', 'active', 'time-sensitive', 'critical'] as const;

export const noPush = {
  title: '',
  body: '',
  destinationPath: '/',
  imageUrl: '',
  audience: 'all' as (typeof AUDIENCES)[number],
  people: [] as string[],
  tokens: [] as string[],
  seenWithinDays: '' as number | '',
  scheduleAt: '',
  silent: false,
  sound: true,
  badge: '' as number | '',
  urgent: true,
  collapseKey: '',
  ttlHours: '' as number | '',
  channelId: '',
  interruptionLevel: null as (typeof LEVELS)[number] | null,
  metadata: '',
  localized: [] as { language: string; title: string; body: string }[],
};
export type PushValues = typeof noPush;

/** The API names these fields otherwise. */
export const PUSH_NAMES: Readonly<Record<string, keyof PushValues>> = {
  'target.userEmails': 'people',
  'target.deviceTokens': 'tokens',
  'target.seenWithinDays': 'seenWithinDays',
  ttlSeconds: 'ttlHours',
  'android.channelId': 'channelId',
  'ios.interruptionLevel': 'interruptionLevel',
};

/** Returns the devices that the form names, or null while it names none. */
export function targetOf({ audience, people, tokens, seenWithinDays }: PushValues) {
  const seen = seenWithinDays === '' ? {} : { seenWithinDays };
  if (audience === 'people') return people.length > 0 ? { userEmails: people, ...seen } : null;
  if (audience === 'tokens') return tokens.length > 0 ? { deviceTokens: tokens, ...seen } : null;
  if (audience !== 'all') return { platform: audience, ...seen };
  return seenWithinDays === '' ? { all: true as const } : seen;
}

export function messageOf(values: PushValues) {
  const { silent, title, body, destinationPath, imageUrl, badge, collapseKey } = values;
  const shown = {
    ...(title !== '' && { title }),
    ...(body !== '' && { body }),
    ...(imageUrl !== '' && { imageUrl }),
    ...(values.sound && { sound: 'default' }),
    ...(badge !== '' && { badge }),
    ...(values.channelId !== '' && { android: { channelId: values.channelId } }),
    ...(values.interruptionLevel && { ios: { interruptionLevel: values.interruptionLevel } }),
    ...(values.localized.length > 0 && {
      localized: Object.fromEntries(values.localized.map(({ language, ...texts }) => [language, texts])),
    }),
  };
  return {
    ...(silent ? { silent } : shown),
    ...(destinationPath.trim() !== '' && { destinationPath: destinationPath.trim() }),
    ...(collapseKey !== '' && { collapseKey }),
    ...(!values.urgent && !silent && { priority: 'normal' as const }),
    metadata: objectOf(values.metadata) ?? {},
  };
}

export function timesOf({ scheduleAt, ttlHours }: PushValues, timeZone: string) {
  const at = instantIn(scheduleAt, timeZone);
  return { ...(at !== null && { scheduleAt: at }), ...(ttlHours !== '' && { ttlSeconds: ttlHours * 3_600 }) };
}

/** Returns the form of a push that was sent before, for the next one. People and tokens are kept only as hashes. */
export function valuesOf({ message, target }: Pick<Notification, 'message' | 'target'>): PushValues {
  return {
    ...noPush,
    title: message.title,
    body: message.body,
    destinationPath: message.destinationPath ?? '',
    imageUrl: message.imageUrl ?? '',
    audience: target.platform ?? 'all',
    silent: message.silent,
    sound: message.sound !== null,
    badge: message.badge ?? '',
    urgent: message.priority !== 'normal',
    collapseKey: message.collapseKey ?? '',
    channelId: message.android?.channelId ?? '',
    interruptionLevel: message.ios?.interruptionLevel ?? null,
    metadata: Object.keys(message.metadata).length > 0 ? JSON.stringify(message.metadata, null, 2) : '',
    localized: Object.entries(message.localized).map(([language, { title = '', body = '' }]) => ({
      language,
      title,
      body,
    })),
  };
}
