import { expect, it } from 'vitest';
import words from '../../words/en.json' with { type: 'json' };
import { actionOf, differencesOf, nameIn, pathWords, spelt } from './entry-words.ts';
import { canOccur } from './scopes.ts';

const forms = [words.settings, words.matching];

it('names the thing as it was called before', () => {
  expect(nameIn({ action: 'RotateKey', before: { label: 'server-1' }, after: { label: 'server-2' } })).toBe('server-1');
  expect(nameIn({ action: 'Invite', before: null, after: { email: 'a@example.com', role: 'viewer' } })).toBe(
    'a@example.com',
  );
  expect(nameIn({ action: 'UpdateApp', before: { ios: {} }, after: { ios: {} } })).toBe('');
});

const by = {
  at: '2026-01-01T12:00:00.000Z',
  subject: 'ada',
  actor: { kind: 'person', userId: 'bob', tokenId: null },
} as const;

it('tells a push that is planned and a test from one that is sent, and who leaves from who is removed', () => {
  const read = (action: string, after: object | null, subject = 'ada') =>
    actionOf({ ...by, action, before: null, after: after as never, subject });
  expect(read('SendPush', { sendAt: by.at })).toBe('SendPush');
  expect(read('SendPush', { sendAt: '2026-01-02T12:00:00.000Z' })).toBe('SchedulePush');
  expect(read('SendPush', { sendAt: by.at, test: true })).toBe('TestPush');
  expect(read('RemoveMember', null)).toBe('RemoveMember');
  expect(read('RemoveMember', null, 'bob')).toBe('LeaveTeam');
});

it('lists for a log the actions that stand in it', () => {
  const inLog = (action: string) => (['app', 'team', 'instance'] as const).filter((scope) => canOccur(action, scope));
  expect(inLog('SendPush')).toEqual(['app', 'team', 'instance']);
  expect(inLog('SetRole')).toEqual(['team', 'instance']);
  expect(inLog('SignIn')).toEqual(['instance']);
});

it('tells the archive of a link from another edit', () => {
  const archive = { ...by, before: { archivedAt: null, version: 1 }, after: { archivedAt: '2026-01-01', version: 2 } };
  expect(actionOf({ action: 'EditLink', ...archive })).toBe('ArchiveLink');
  expect(actionOf({ ...by, action: 'EditLink', before: archive.after, after: archive.before })).toBe('UnarchiveLink');
  expect(actionOf({ ...by, action: 'EditLink', before: { ...archive.before, name: 'a' }, after: archive.after })).toBe(
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
