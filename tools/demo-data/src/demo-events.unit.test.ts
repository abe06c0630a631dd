// Checks that the events are what their readers expect.
import { hash } from 'node:crypto';
import {
  DeviceActive,
  DeviceInstalled,
  LinkClicked,
  LinkCreated,
  LinkOpened,
  LinksRestored,
  PushOpened,
  PushRegistered,
  PushSent,
} from '@landfall/contracts';
import { expect, test } from 'vitest';
import { type DemoEvent, type DemoOptions, demoEvents } from './index.ts';
import { clicks, dayOf, events, links, of, options } from './sample.testing.ts';

test('has as many clicks as asked for, and everything else', () => {
  expect(clicks).toHaveLength(20_000);
  expect(of(LinkCreated).length).toBeGreaterThan(250);
  expect(of(LinkOpened).length).toBeGreaterThan(3_000);
  for (const event of [DeviceInstalled, LinksRestored, DeviceActive, PushRegistered, PushSent, PushOpened])
    expect(of(event).length).toBeGreaterThan(300);
});

test('fits the contracts, with every field', () => {
  const wrong = events.filter(({ event, data }) => {
    const parsed = event.data.safeParse(data);
    return !parsed.success || Object.keys(parsed.data).length !== Object.keys(data).length;
  });
  expect(wrong).toEqual([]);
  for (const event of new Set(events.map((e) => e.event))) {
    const [first] = of(event);
    expect(event.data.parse(first!.data)).toStrictEqual(first!.data);
  }
});

test('is in order of time, within the range', () => {
  const times = events.map(({ now }) => now.getTime());
  expect(times.every((time, n) => n === 0 || time >= times[n - 1]!)).toBe(true);
  expect(times.at(-1)).toBeLessThan(options.until.getTime());
  expect(new Set(events.map(({ now }) => dayOf(now))).size).toBe(90);
  expect(dayOf(events[0]!.now)).toBe('2026-08-26');
});

test('has unique ids', () => {
  const ids = [...events.map(({ id }) => id), ...links.keys()];
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id } of events.slice(0, 1_000)) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab]/);
});

// `demo remove` makes the events of an earlier version again, and finds them by their ids and times. What they say has
// growth, weekends, twelve countries and a link that goes viral: look at it on the pages of analytics before you change
// the second digest.
test('is the same in every version', () => {
  const digest = (of: (event: DemoEvent) => unknown) => hash('sha256', JSON.stringify(events.map(of)));
  expect(digest(({ event, id, now }) => [event.name, id, now])).toMatch(/^49cb0b3fb87372f1/);
  expect(digest(({ data }) => data)).toMatch(/^50da40a0664e2ca3/);
});

test('is the same for the same options, and shares no id with others', () => {
  const small = { ...options, clicks: 500, days: 10 };
  const list = [...demoEvents(small)];
  expect([...demoEvents({ ...small })]).toEqual(list);
  const ids = new Set(list.map(({ id }) => id));
  const others: Partial<DemoOptions>[] = [
    { seed: 2 },
    { appId: '0d6f3b52-6f0e-4a52-9f57-0f4a4b1d6c12' },
    { until: new Date(options.until.getTime() + 1) },
    { days: 11 },
    { clicks: 501 },
    { timeZone: 'UTC' },
  ];
  for (const other of others) {
    const changed = [...demoEvents({ ...small, ...other })];
    expect(changed.length).toBeGreaterThan(500);
    expect(changed.filter(({ id }) => ids.has(id))).toEqual([]);
  }
});

test.each([1, 2, 3, 7, 400])('holds for %i days', (days) => {
  const list = [...demoEvents({ ...options, clicks: 300, days })];
  expect(of(LinkClicked, list)).toHaveLength(300);
  const created = new Map(of(LinkCreated, list).map(({ data, now }) => [data.linkId, now]));
  const early = of(LinkClicked, list).filter(({ data, now }) => !(created.get(data.linkId)! < now));
  expect(early).toEqual([]);
});

test('needs options that make sense', () => {
  const wrong: Partial<DemoOptions>[] = [
    { days: 0 },
    { days: 1.5 },
    { clicks: -1 },
    { until: new Date(Number.NaN) },
    { timeZone: 'Moon/Base' },
  ];
  for (const option of wrong) expect(() => [...demoEvents({ ...options, ...option })]).toThrow(RangeError);
  expect(of(LinkClicked, [...demoEvents({ ...options, clicks: 0 })])).toEqual([]);
});
