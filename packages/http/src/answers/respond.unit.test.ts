import { expect, it } from 'vitest';
import { ownUrl } from './respond.ts';

const here = 'https://api.example';

it('adds to the query, before the #', () => {
  expect(ownUrl(here, '/')).toBe(`${here}/`);
  expect(ownUrl(here, '/a?b=c#d', { error: 'denied' })).toBe(`${here}/a?b=c&error=denied#d`);
  expect(ownUrl(here, '/a?error=x', { error: 'no-account' })).toBe(`${here}/a?error=no-account`);
});

it('never leads to another site', () => {
  for (const path of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'http://api.example/',
    '/\t/evil.example',
  ])
    expect(() => ownUrl(here, path), path).toThrow();
  for (const path of ['/.//evil.example', '/..//evil.example', '/@evil.example'])
    expect(ownUrl(here, path, { error: 'denied' })).toMatch(/^https:\/\/api\.example\//);
});
