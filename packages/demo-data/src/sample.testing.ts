// One list of demo events for the tests, and helpers that count it.
import { type DataOf, type EventDef, LinkClicked } from '@landfall/contracts';
import { type DemoEvent, type DemoOptions, demoEvents, demoLinks } from './index.ts';

export const DAY_MS = 86_400_000;
export const options = {
  appId: '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11',
  until: new Date('2026-11-23T10:00:00.000Z'),
  clicks: 20_000,
  timeZone: 'Asia/Kathmandu',
} satisfies DemoOptions;
export const events = [...demoEvents(options)];
export const links = new Map(demoLinks(options).map((link) => [link.linkId, link]));

export interface SampleEvent<E extends EventDef> {
  readonly id: string;
  readonly now: Date;
  readonly data: DataOf<E>;
}
export const of = <E extends EventDef>(event: E, all: readonly DemoEvent[] = events) =>
  all.filter((e) => e.event === event) as unknown as SampleEvent<E>[];

export const clicks = of(LinkClicked);

export const shares = <T>(values: readonly T[]): Map<T, number> =>
  new Map([...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length / values.length]));
/** Kathmandu is 5 hours and 45 minutes before UTC all year. */
export const local = (now: Date) => new Date(now.getTime() + 345 * 60_000);
export const dayOf = (now: Date) => local(now).toISOString().slice(0, 10);
export const isWeekend = (now: Date) => [0, 6].includes(local(now).getUTCDay());
export const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the number of clicks on each day. */
export const byDay = (some: readonly SampleEvent<typeof LinkClicked>[]) =>
  [...Map.groupBy(some, ({ now }) => dayOf(now))].map(([day, { length }]) => ({ day, length }));
