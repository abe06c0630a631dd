import { expect, it } from 'vitest';
import { changesOf } from './changes.ts';

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
