import { expect, it } from 'vitest';
import { assertSameSite } from './cross-site.ts';

const origin = 'https://api.example';
const sent =
  (headers: Record<string, string>, method = 'POST') =>
  () =>
    assertSameSite(method, headers, origin);

it('accepts requests of our own pages', () => {
  expect(sent({ 'x-landfall': '1' })).not.toThrow();
  expect(sent({ 'x-landfall': '1', origin })).not.toThrow();
  expect(sent({}, 'GET')).not.toThrow();
  expect(sent({ origin: 'https://evil.example' }, 'GET')).not.toThrow();
});

it('refuses requests that another site may have sent', () => {
  for (const headers of [
    {},
    { origin },
    { 'x-landfall': '0' },
    ...['https://evil.example', 'null', '', 'http://api.example', `${origin}:8443`, `${origin}.evil.example`].map(
      (origin) => ({ 'x-landfall': '1', origin }),
    ),
    { 'x-landfall': '1', origin: 'https://evil.example', authorization: 'Basic eDp5' },
  ] as Record<string, string>[])
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
      expect(sent(headers, method), JSON.stringify(headers)).toThrow('another site');
});

it('accepts a bearer token, which no browser adds by itself', () => {
  expect(sent({ authorization: 'Bearer x' })).not.toThrow();
});
