import { LinkClicked, ReleaseRestore, RestoreLinks } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { clicked, hashOf, id, toRestore } from '../values.testing.ts';

handlerSuite('ReleaseRestore', { service: attributionService }, (fixture) => {
  const tap = () => fixture.bus.tell(LinkClicked, clicked());
  const restore = async (restoreId: string, question: Parameters<typeof toRestore>[0] = {}) => {
    const answer = await fixture.bus.ask(RestoreLinks, toRestore(question), { id: restoreId });
    return answer.ok ? answer.reply.matches.map((match) => match.linkId) : expect.unreachable();
  };
  const release = async (restoreId: string, lost = false) => {
    const answer = await fixture.bus.ask(ReleaseRestore, { restoreId, lost });
    return answer.ok ? answer.reply.released : expect.unreachable();
  };

  it('lets the next start find what could not be given, with what was closed beside it', async () => {
    await tap();
    await tap();
    expect(await restore(id(1))).toEqual([id(1)]);
    expect(await release(id(1))).toBe(true);
    const open = await fixture.database.rows('select 1 from attribution.pending_links where closed_by is null');
    expect(open).toHaveLength(2);
    expect(await restore(id(2))).toEqual([id(1)]);
    expect(await restore(id(3))).toEqual([id(1)]);
  });

  it('does it once, whatever was given since', async () => {
    await tap();
    await restore(id(1));
    expect(await release(id(1))).toBe(true);
    expect(await restore(id(2))).toEqual([id(1)]);
    expect(await release(id(1))).toBe(true);
    fixture.clock.advance({ seconds: 20 });
    expect(await restore(id(3))).toEqual([]);
  });

  it('releases a restore and those that gave its answer again together', async () => {
    await tap();
    await restore(id(1));
    expect(await restore(id(2))).toEqual([id(1)]);
    expect(await restore(id(3))).toEqual([id(1)]);
    expect(await release(id(2))).toBe(true);
    const rows = await fixture.database.rows('select 1 from attribution.restores where released_at is null');
    expect(rows).toEqual([]);
    expect(await restore(id(4), { fingerprint: hashOf('other') })).toEqual([id(1)]);
  });

  it('lets the next start find what was given by an answer that was lost', async () => {
    await tap();
    await restore(id(1));
    expect(await release(id(1), true)).toBe(true);
    fixture.clock.advance({ seconds: 20 });
    expect(await restore(id(2))).toEqual([id(1)]);
  });

  it('takes back what was given by several answers when all of them were lost, in any order', async () => {
    await tap();
    for (const n of [1, 2, 3]) expect(await restore(id(n))).toEqual([id(1)]);
    fixture.clock.advance({ seconds: 20 });
    for (const [n, then] of [
      [2, []],
      [1, []],
      [3, [id(1)]],
    ] as const) {
      expect(await release(id(n), true)).toBe(true);
      expect(await restore(id(10 + n))).toEqual(then);
    }
  });

  it('takes it back once, also where several are lost at a time', async () => {
    await tap();
    for (const n of [1, 2, 3]) await restore(id(n));
    await Promise.all([1, 2, 3].map((n) => release(id(n), true)));
    const open = await fixture.database.rows('select 1 from attribution.pending_links where closed_by is null');
    expect(open).toHaveLength(1);
  });

  it('opens a token’s tap again', async () => {
    const token = { tapId: id(0x100), linkId: id(1), tappedAt: '2026-11-15T11:50:00.000Z' };
    expect(await restore(id(1), { token })).toEqual([id(1)]);
    expect(await release(id(1))).toBe(true);
    expect(await restore(id(2), { token })).toEqual([id(1)]);
  });

  it('says where there is nothing to release', async () => {
    expect(await release(id(9))).toBe(false);
    await tap();
    await restore(id(1), { fingerprint: null });
    expect(await release(id(1))).toBe(false);
  });
});
