import { expect, it } from 'vitest';
import { ownPath } from './own-path.ts';

it.each([
  ['/', '/'],
  ['/apps?tab=keys#x', '/apps?tab=keys#x'],
  ['/a?to=//evil.example', '/a?to=//evil.example'],
  ['/a//b', '/a//b'],
  ['/links/../apps', '/apps'],
  ['/%2Fevil.example', '/%2Fevil.example'],
  ['/@evil.example', '/@evil.example'],
])('%j is the path %j', (to, path) => {
  expect(ownPath(to)).toBe(path);
});

it.each([
  '',
  'apps',
  ' /apps',
  '\\apps',
  '//',
  '///',
  '//[',
  'http://localhost:8080/',
  'http:evil.example',
  'javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'blob:http://here.invalid/x',
  '//evil.example',
  '/\t/evil.example',
  '/\n\r/evil.example',
  '/\\evil.example',
  '/\\\t\\evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/a/..//evil.example',
  '/..\\\\evil.example',
])('%j is no path', (to) => {
  expect(ownPath(to)).toBeNull();
});

/** A slash as parsers of URLs take it, with what they drop before and behind it. */
const SLASHES = ['/', '\\', '/\t', '\t/', '/\n', '/\r', '\\\t', '/./', '/../', '/.//', '/%2e/', '/%2E%2e/', '/a/..//'];

it('keeps every browser here, also one that reads the result once more', () => {
  for (const origin of ['http://localhost:8080', 'https://links.example'])
    for (const first of SLASHES)
      for (const second of SLASHES) {
        const to = `${first}${second}evil.example`;
        const path = ownPath(to);
        if (path === null) continue;
        expect(path, to).toMatch(/^\/[^/\\]/);
        expect(new URL(path, origin).origin, to).toBe(origin);
      }
});
