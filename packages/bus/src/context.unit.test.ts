import { expect, test } from 'vitest';
import { eventId, uuid5 } from './context.ts';

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

test('gives the examples of the RFC and of other implementations', () => {
  expect(uuid5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  expect(uuid5(DNS, 'python.org')).toBe('886313e1-3b8a-5372-9b90-0c9aee199e5d');
});

test('takes any text, and a namespace in either case', () => {
  expect(uuid5(DNS, '')).not.toBe(uuid5(DNS, ' '));
  expect(uuid5(DNS, 'ä→😀')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(uuid5(DNS.toUpperCase(), 'a')).toBe(uuid5(DNS, 'a'));
});

test.each(['', 'no uuid', DNS.slice(1), DNS.replace('6', 'x'), `${DNS}0`])('refuses %j as a namespace', (namespace) => {
  expect(() => uuid5(namespace, 'a')).toThrow(TypeError);
});

test('events of one message differ by name and place', () => {
  const ids = [eventId(DNS, 'A', 0), eventId(DNS, 'A', 1), eventId(DNS, 'B', 0), uuid5(DNS, 'A')];
  expect(new Set(ids).size).toBe(4);
});
