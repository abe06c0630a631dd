import { expect, it } from 'vitest';
import { readSearch } from './read-search.ts';

it.each([
  ['https://demo.example/sale?x#y', 'sale'],
  ['HTTP://demo.example:8080/l/Sale', 'Sale'],
  ['demo.localhost:9140/sale', 'sale'],
  [' demo.localhost/sale?x=a/b ', 'sale'],
  ['localhost/sale', 'sale'],
  ['app:8080/sale', 'sale'],
  ['https://demo.example', ''],
  ['demo.example/', ''],
])('reads %j as an address', (text, slug) => {
  expect(readSearch(text)).toEqual({ text: text.trim(), slug, isAddress: true });
});

it.each([
  ['/sale', 'sale'],
  ['/sale/boots', ''],
  ['/sale?x', ''],
  ['sale', 'sale'],
  ['demo.example', 'demo.example'],
  ['invite?from=a.b/c', 'invite?from=a.b/c'],
  ['spring sale', 'spring sale'],
])('does not read %j as an address', (text, slug) => {
  expect(readSearch(text)).toEqual({ text: text.trim(), slug, isAddress: false });
});
