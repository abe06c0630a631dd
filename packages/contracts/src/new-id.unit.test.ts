import { expect, it, vi } from 'vitest';
import { z } from 'zod';
import { newId } from './new-id.ts';

it('makes UUIDs of version 7 that are in the order of their time', () => {
  vi.useFakeTimers();
  try {
    const ids = Array.from({ length: 50 }, (_, n) => {
      vi.setSystemTime(new Date(Date.UTC(2026, 10, 29) + n));
      return newId();
    });
    for (const id of ids) expect(z.uuidv7().safeParse(id).success).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
    expect(Number.parseInt(ids[1]!.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.UTC(2026, 10, 29) + 1);
    vi.setSystemTime(0);
    expect(new Set(Array.from({ length: 1_000 }, newId)).size).toBe(1_000);
  } finally {
    vi.useRealTimers();
  }
});
