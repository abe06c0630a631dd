import { expect, it } from 'vitest';
import { applied, changesOf, entered, stored } from './changes.ts';

it('holds only what differs, at any depth', () => {
  const before = {
    name: 'a',
    labels: ['x'],
    ios: { teamId: null as string | null, storeId: '1' },
    android: { package: 'p' },
  };
  expect(changesOf(before, structuredClone(before))).toEqual({});
  expect(changesOf(before, { ...before, labels: ['x', 'y'], ios: { teamId: 'T', storeId: '1' } })).toEqual({
    labels: ['x', 'y'],
    ios: { teamId: 'T' },
  });
  expect(changesOf(before, { ...before, ios: { teamId: null, storeId: '' } })).toEqual({ ios: { storeId: '' } });
});

it('makes the same changes to what somebody else has changed since', () => {
  const before = { name: 'a', labels: ['x'], ios: { teamId: '', storeId: '1' } };
  const changes = changesOf(before, { ...before, ios: { teamId: 'T', storeId: '1' } });
  const stored = { name: 'b', labels: ['y'], ios: { teamId: '', storeId: '2' } };
  expect(applied(stored, changes)).toEqual({ ...stored, ios: { teamId: 'T', storeId: '2' } });
});

it('has an empty text for null, and back', () => {
  const app = { name: 'a', labels: [], ios: { teamId: null as string | null, storeId: '1' }, clipboard: false };
  expect(entered(app)).toEqual({ ...app, ios: { teamId: '', storeId: '1' } });
  expect(stored({ ...entered(app), name: ' a ' })).toEqual(app);
});
