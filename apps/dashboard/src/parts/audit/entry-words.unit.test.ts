import { expect, it } from 'vitest';
import words from '../../words/en.json' with { type: 'json' };
import { actionOf, differencesOf, nameIn, pathWords, spelt } from './entry-words.ts';

const forms = [words.settings, words.matching];

it('names the thing as it was called before', () => {
  expect(nameIn({ action: 'RotateKey', before: { label: 'server-1' }, after: { label: 'server-2' } })).toBe('server-1');
  expect(nameIn({ action: 'Invite', before: null, after: { email: 'a@example.com', role: 'viewer' } })).toBe(
    'a@example.com',
  );
  expect(nameIn({ action: 'UpdateApp', before: { ios: {} }, after: { ios: {} } })).toBe('');
});

it('tells the archive of a link from another edit', () => {
  const archive = { before: { archivedAt: null, version: 1 }, after: { archivedAt: '2026-01-01', version: 2 } };
  expect(actionOf({ action: 'EditLink', ...archive })).toBe('ArchiveLink');
  expect(actionOf({ action: 'EditLink', before: archive.after, after: archive.before })).toBe('UnarchiveLink');
  expect(actionOf({ action: 'EditLink', before: { ...archive.before, name: 'a' }, after: archive.after })).toBe(
    'EditLink',
  );
});

it('has one line for each value that differs, at any depth', () => {
  const before = { name: 'a', ios: { bundleId: null, teamId: 'T' }, labels: ['x'] };
  const after = { name: 'a', ios: { bundleId: 'com.example', teamId: 'T' }, labels: ['x', 'y'] };
  expect(differencesOf({ action: 'UpdateApp', before, after })).toEqual([
    { path: 'ios.bundleId', from: null, to: 'com.example' },
    { path: 'labels', from: ['x'], to: ['x', 'y'] },
  ]);
  expect(
    differencesOf({ action: 'CreateKey', before: null, after: { kind: 'mobile', expiresAt: null, tags: [] } }),
  ).toEqual([{ path: 'kind', from: undefined, to: 'mobile' }]);
  expect(pathWords('ios.bundleId', forms)).toBe('iOS: Bundle identifier');
  expect(pathWords('android.unheardOf', forms)).toBe('Android: Unheard of');
  expect(pathWords('matching.windowMinutes', forms)).toBe('Minutes after the tap');
  expect(pathWords('plan.linksPerMonth', forms)).toBe('Plan, links per month');
  expect(spelt('ReplayDeadLetters')).toBe('Replay dead letters');
});
