import { expect, test } from 'vitest';
import { createStreams, type Watcher } from './streams.ts';

const visitor = (key: string, site: string | null = null): Watcher => ({ kind: 'visitor', key, site });
const person = (id: string): Watcher => ({ kind: 'person', id });
const operator: Watcher = { kind: 'operator', id: 'token' };

const takes = (watchers: Watcher[]) => {
  const streams = createStreams();
  return { streams, places: watchers.map((watcher) => streams.take(watcher, () => {})) };
};
const many = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i));
const taken = (places: readonly unknown[]) => places.filter((place) => place !== null).length;

test('an address of visitors has two streams, a /48 has ten', () => {
  expect(taken(takes(many(5, () => visitor('198.18.0.1'))).places)).toBe(2);
  expect(taken(takes(many(90, (i) => visitor(`2001:db8:0:${i}::`, '2001:db8::'))).places)).toBe(10);
  expect(taken(takes(many(90, (i) => visitor(`198.18.0.${i}`))).places)).toBe(50);
});

test('all visitors together leave places for people and for the operator', () => {
  const { streams, places } = takes(many(600, (i) => visitor(`198.18.${i >> 8}.${i & 255}`)));
  expect(taken(places)).toBe(50);
  const people = many(600, (i) => streams.take(person(`person ${i}`), () => {}));
  expect(taken(people)).toBe(450);
  expect(streams.take(operator, () => {})).not.toBeNull();
  expect(streams.take(operator, () => {})).toBeNull();
});

test('a person has six streams, and a place is free again after its stream', () => {
  const { streams, places } = takes(many(7, () => person('ann')));
  expect(taken(places)).toBe(6);
  places[0]!.release();
  expect(streams.take(person('ann'), () => {})).not.toBeNull();
});

test('a stop ends all streams and gives no further place', () => {
  const streams = createStreams();
  let ended = 0;
  for (const id of ['ann', 'bob']) streams.take(person(id), () => ended++);
  streams.stop();
  expect(ended).toBe(2);
  expect(streams.take(operator, () => {})).toBeNull();
});
