import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { peopleOf } from '../people.testing.ts';
import { attributionService } from '../service.ts';
import { hashOf, id } from '../values.testing.ts';

handlerSuite('ReleaseRestore', { service: attributionService }, (fixture) => {
  const { release, restored, rows, tap } = peopleOf(fixture);
  const restore = (n: number, question: Parameters<typeof restored>[0] = {}) => restored(question, id(n));
  const openTaps = () => rows('1', 'pending_links where closed_by is null');

  it('lets the next start find what could not be given, with what was closed beside it', async () => {
    await tap();
    await tap();
    expect(await restore(1)).toEqual([id(1)]);
    expect(await release(id(1))).toBe(true);
    expect(await openTaps()).toHaveLength(2);
    expect([await restore(2), await restore(3)]).toEqual([[id(1)], [id(1)]]);
  });

  it('does it once, whatever was given since', async () => {
    await tap();
    await restore(1);
    expect(await release(id(1))).toBe(true);
    expect(await restore(2)).toEqual([id(1)]);
    expect(await release(id(1))).toBe(true);
    fixture.clock.advance({ seconds: 20 });
    expect(await restore(3)).toEqual([]);
  });

  it('releases a restore and those that gave its answer again together', async () => {
    await tap();
    for (const n of [1, 2, 3]) expect(await restore(n)).toEqual([id(1)]);
    expect(await release(id(2))).toBe(true);
    expect(await rows('1', 'restores where released_at is null')).toEqual([]);
    expect(await restore(4, { fingerprint: hashOf('other') })).toEqual([id(1)]);
  });

  it('takes back what was given by several answers when all of them were lost, in any order', async () => {
    await tap();
    for (const n of [1, 2, 3]) expect(await restore(n)).toEqual([id(1)]);
    fixture.clock.advance({ seconds: 20 });
    for (const [n, then] of [
      [2, []],
      [1, []],
      [3, [id(1)]],
    ] as const) {
      expect(await release(id(n), true)).toBe(true);
      expect(await restore(10 + n)).toEqual(then);
    }
  });

  it('takes it back once, also where several are lost at a time', async () => {
    await tap();
    for (const n of [1, 2, 3]) await restore(n);
    await Promise.all([1, 2, 3].map((n) => release(id(n), true)));
    expect(await openTaps()).toHaveLength(1);
  });

  it('opens a token’s tap again', async () => {
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: '2026-11-15T11:50:00.000Z' };
    expect(await restore(1, { token })).toEqual([id(1)]);
    expect(await release(id(1))).toBe(true);
    expect(await restore(2, { token })).toEqual([id(1)]);
  });

  it('says where there is nothing to release', async () => {
    expect(await release(id(9))).toBe(false);
    await tap();
    await restore(1, { fingerprint: null });
    expect(await release(id(1))).toBe(false);
  });
});
