import { expect, it } from 'vitest';
import { draftsIn, rebased } from './drafts.ts';

function browser() {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  };
  const clock = { now: 1_000 };
  const open = () => draftsIn<{ a: string }>('key', storage, () => clock.now++);
  return { storage, clock, open };
}

const draft = (a: string) => ({ of: 'new', values: { a }, before: { a: '' } });

it('outlive the page, latest first, for a week', () => {
  const { clock, open } = browser();
  const first = open().put(undefined, draft('one'));
  const second = open().put(undefined, draft('two'));
  expect(
    open()
      .all()
      .map(({ id }) => id),
  ).toEqual([second, first]);
  expect(open().put(first, draft('three'))).toBe(first);
  expect(open().find(first)?.values).toEqual({ a: 'three' });
  open().drop(first);
  expect(open().all()).toHaveLength(1);
  clock.now += 7 * 86_400_000;
  expect(open().all()).toEqual([]);
});

it('of two tabs never overwrite each other', () => {
  const { open } = browser();
  const id = open().put(undefined, draft('one'));
  const [left, right] = [open(), open()];
  expect(left.put(id, draft('left'))).toBe(id);
  const own = right.put(id, draft('right'));
  expect(own).not.toBe(id);
  expect(open().find(id)?.values).toEqual({ a: 'left' });
  expect(right.put(own, draft('right again'))).toBe(own);
  expect(left.put(id, draft('left again'))).toBe(id);
});

it('are none in a storage that is broken or refuses', () => {
  const { storage, open } = browser();
  storage.setItem('key', '{');
  expect(open().all()).toEqual([]);
  storage.setItem = () => {
    throw new Error('full');
  };
  expect(open().put('x', draft('one'))).toBe('x');
});

it('keep what somebody else has changed since', () => {
  const before = { name: 'a', note: 'n', tags: ['x'] };
  const values = { name: 'b', note: 'n', tags: ['x', 'y'] };
  const stored = { name: 'c', note: 'm', tags: ['x'] };
  expect(rebased({ id: '', of: '', at: 0, by: '', before, values }, stored)).toEqual({
    name: 'b',
    note: 'm',
    tags: ['x', 'y'],
  });
});
