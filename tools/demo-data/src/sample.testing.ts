// One list of demo events for the tests.
import { type DataOf, type EventDef, LinkClicked } from '@landfall/contracts';
import { rangeOf } from './days.ts';
import { type DemoEvent, type DemoOptions, demoEvents } from './index.ts';
import { planLinks } from './links/demo-links.ts';

export const DAY_MS = 86_400_000;
export const options = {
  appId: '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c11',
  until: new Date('2026-11-23T10:00:00.000Z'),
  clicks: 20_000,
  timeZone: 'Asia/Kathmandu',
} satisfies DemoOptions;
export const events = [...demoEvents(options)];
export const links = new Map(planLinks(rangeOf(options)).map((link) => [link.linkId, link]));

export interface SampleEvent<E extends EventDef> {
  readonly id: string;
  readonly now: Date;
  readonly data: DataOf<E>;
}
export const of = <E extends EventDef>(event: E, all: readonly DemoEvent[] = events) =>
  all.filter((e) => e.event === event) as unknown as SampleEvent<E>[];

export const clicks = of(LinkClicked);

/** Kathmandu is 5 hours and 45 minutes before UTC all year. */
export const dayOf = (now: Date) => new Date(now.getTime() + 345 * 60_000).toISOString().slice(0, 10);
