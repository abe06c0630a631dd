import { LinkClicked, ListRestores, ReleaseRestore, RestoreLinks } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { APP, clicked, hashOf, id, toRestore } from '../values.testing.ts';

handlerSuite('ListRestores', { service: attributionService }, (fixture) => {
  const list = async (limit: number, cursor: string | null = null, appId = APP) => {
    const answer = await fixture.bus.ask(ListRestores, { appId, limit, cursor });
    return answer.ok ? answer.reply : expect.unreachable();
  };

  it('lists an app’s restores, the newest first, page by page', async () => {
    await fixture.bus.tell(LinkClicked, clicked());
    await fixture.bus.tell(LinkClicked, clicked({ appId: id(0xb) }));
    for (const n of [1, 2, 3]) {
      const question = toRestore({ fingerprint: hashOf(`phone ${n}`), platform: 'android' });
      await fixture.bus.ask(RestoreLinks, question, { id: id(n) });
    }
    await fixture.bus.ask(RestoreLinks, toRestore({ appId: id(0xb) }), { id: id(9) });

    const first = await list(2);
    expect(first.restores.map((restore) => restore.id)).toEqual([id(3), id(2)]);
    const second = await list(2, first.next);
    expect(second.restores.map((restore) => restore.id)).toEqual([id(1)]);
    expect(second.next).toBeNull();
    expect(await list(2, null, id(0xc))).toEqual({ restores: [], next: null });
  });

  it('says what was given, why, and that it was released', async () => {
    await fixture.bus.tell(LinkClicked, clicked(), { id: id(0x100), now: new Date('2026-11-15T11:57:00.000Z') });
    await fixture.bus.ask(RestoreLinks, toRestore(), { id: id(1) });
    await fixture.bus.ask(ReleaseRestore, { restoreId: id(1) });
    const { restores } = await list(10);
    expect(restores).toEqual([
      {
        id: id(1),
        at: expect.stringMatching(/^2026-11-15T12:00:00\./),
        matchType: 'address',
        summary: '1 link by address: tapped 3 minutes ago',
        considered: [
          {
            pendingLinkId: id(0x100),
            linkId: id(1),
            tappedAt: '2026-11-15T11:57:00.000Z',
            matchType: 'address',
            taken: true,
            reason: 'tapped 3 minutes ago at this address, 1 person there',
          },
        ],
        releasedAt: expect.stringMatching(/^2026-11-15T12:00:00\./),
      },
    ]);
  });
});
