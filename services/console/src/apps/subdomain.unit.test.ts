import { expect, it } from 'vitest';
import { isReserved } from './subdomain.ts';

it.each(['www', 'api', 'v4', 'v6', 'open', 'open-demo', 'xn--abc'])('reserves %s', (name) => {
  expect(isReserved(name)).toBe(true);
});

it.each(['demo', 'my-shop', 'opening', 'wwwhat', 'v40'])('leaves %s to apps', (name) => {
  expect(isReserved(name)).toBe(false);
});
