// The fields of the form for a push, and the request that they make.

import type { Notification, paths } from '@landfall/api-client';
import { objectOf } from '../forms/changes.ts';
import { instantIn, wallIn } from '../time-zone.ts';

export const AUDIENCE_PATH = '/api/manage/apps/{appId}/notifications/audience';
export const AUDIENCES = ['all', 'ios', 'android', 'people', 'tokens'] as const;
export const LEVELS = ['passive', 'active', 'time-sensitive', 'critical'] as const;

export const noPush = {
  title: '',
  body: '',
  destinationPath: '/',
  imageUrl: '',
  /** `kept`: those of the push before its edit. Only their hashes are stored, so no field can show them. */
  audience: 'all' as (typeof AUDIENCES)[number] | 'kept',
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

/** Returns the devices that the form names, or null while it names none, or keeps those of before. */
export function targetOf({ audience, people, tokens, seenWithinDays }: PushValues) {
  const seen = seenWithinDays === '' ? {} : { seenWithinDays };
  if (audience === 'people') return people.length > 0 ? { userEmails: people, ...seen } : null;
  if (audience === 'tokens') return tokens.length > 0 ? { deviceTokens: tokens, ...seen } : null;
  if (audience === 'kept') return null;
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
    audience: target.emails !== null ? 'people' : target.tokens !== null ? 'tokens' : (target.platform ?? 'all'),
    seenWithinDays: target.seenWithinDays ?? '',
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

/** Returns the form of a planned push, for its edit. */
export function plannedValuesOf(push: Notification, timeZone: string): PushValues {
  const { target, sendAt, expiresAt } = push;
  const hours = (Date.parse(expiresAt) - Date.parse(sendAt)) / HOUR_MS;
  return {
    ...valuesOf(push),
    ...((target.emails !== null || target.tokens !== null) && { audience: 'kept' }),
    scheduleAt: wallIn(sendAt, timeZone),
    ttlHours: hours === LONGEST_HOURS ? '' : Math.max(1, Math.round(hours)),
  };
}

const HOUR_MS = 3_600_000;
const LONGEST_HOURS = 28 * 24;

type Change = NonNullable<
  paths['/api/manage/notifications/{notificationId}']['patch']['requestBody']
>['content']['application/json'];

/** Returns what differs. The form does not show every field of a push, so the others stay as they are. */
export function changeOf({ message }: Notification, before: PushValues, values: PushValues, timeZone: string): Change {
  const [old, now] = [messageOf(before), messageOf(values)] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(old!), ...Object.keys(now!)])].filter((name) =>
    differs(old![name], now![name]),
  );
  const isOther = (name: keyof PushValues) => differs(before[name], values[name]);
  const target =
    isOther('audience') || isOther('people') || isOther('tokens') || isOther('seenWithinDays')
      ? targetOf(values)
      : null;
  return {
    ...Object.fromEntries(names.map((name) => [name, now![name] ?? null])),
    ...(isOther('silent') && { silent: values.silent }),
    ...(isOther('channelId') && { android: { ...message.android, channelId: values.channelId || undefined } }),
    ...(isOther('interruptionLevel') && {
      ios: { ...message.ios, interruptionLevel: values.interruptionLevel ?? undefined },
    }),
    ...(target && { target }),
    ...(isOther('scheduleAt') && { scheduleAt: instantIn(values.scheduleAt, timeZone)! }),
    ...(isOther('ttlHours') && { ttlSeconds: (values.ttlHours || LONGEST_HOURS) * 3_600 }),
  };
}

const differs = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);
