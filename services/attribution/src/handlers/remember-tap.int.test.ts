import { LinkClicked } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { CHROME, clicked, hashOf, id, SAFARI } from '../values.testing.ts';

handlerSuite('LinkClicked', { service: attributionService }, (fixture) => {
  const tap = (click: Parameters<typeof clicked>[0] = {}, tapId?: string) =>
    fixture.bus.tell(LinkClicked, clicked(click), tapId ? { id: tapId } : {});
  const taps = (columns: string) =>
    fixture.database.rows(`select ${columns} from attribution.pending_links order by tapped_at`);

  it('remembers a tap on a phone under its own id', async () => {
    await tap({}, id(0x100));
    expect(await taps('id, link_id, kind, original_url, platform, people, closed_by')).toEqual([
      {
        id: id(0x100),
        link_id: id(1),
        kind: 'tap',
        original_url: 'https://demo.links.test/1',
        platform: 'ios',
        people: 0,
        closed_by: null,
      },
    ]);
  });

  it('remembers the sealed URL of a tap beside the one that everybody may read', async () => {
    const sealedUrl = `v1.${'q9Zx'.repeat(24)}`;
    await tap({ sealedUrl });
    expect(await taps('original_url, sealed_url')).toEqual([
      { original_url: 'https://demo.links.test/1', sealed_url: sealedUrl },
    ]);
  });

  it('remembers no click that an install cannot follow, but the person who made it', async () => {
    await tap({ deferred: false, platform: 'desktop', userAgent: hashOf('Firefox') });
    await tap({ platform: 'unknown' });
    await tap({ platform: 'ios', userAgent: CHROME });
    expect(await taps('platform, people')).toEqual([
      { platform: null, people: 1 },
      { platform: 'ios', people: 2 },
    ]);
  });

  it('counts the others at the address in the day before the tap, in the app: the browser that tapped is none of them', async () => {
    await tap({ userAgent: SAFARI });
    await tap({ userAgent: SAFARI });
    await tap({ userAgent: hashOf('Opera') });
    fixture.clock.advance({ hours: 23 });
    await tap({ userAgent: CHROME });
    await tap({ userAgent: CHROME, address: hashOf('elsewhere') });
    await tap({ userAgent: CHROME, appId: id(0xb) });
    fixture.clock.advance({ hours: 2 });
    await tap({ userAgent: hashOf('Firefox') });
    await tap({ address: null });
    expect(await taps('people')).toEqual([0, 0, 1, 2, 0, 0, 1, 0].map((people) => ({ people })));
  });

  it('counts for each tap of a batch only those who were there before', async () => {
    await Promise.all(Array.from({ length: 5 }, (_, n) => tap({ userAgent: hashOf(`browser ${n}`) })));
    expect(await taps('people')).toEqual([0, 1, 2, 3, 4].map((people) => ({ people })));
  });

  it('counts no more than 64', async () => {
    await Promise.all(Array.from({ length: 70 }, (_, n) => tap({ userAgent: hashOf(`browser ${n}`) })));
    expect((await taps('people')).at(-1)).toEqual({ people: 64 });
  });
});
