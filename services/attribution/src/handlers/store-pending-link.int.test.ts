import { StorePendingLink } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { attributionService } from '../service.ts';
import { hashOf, id, SDK, toStore } from '../values.testing.ts';

handlerSuite('StorePendingLink', { service: attributionService }, (fixture) => {
  const contacts = () =>
    fixture.database.rows<{ device: Buffer }>('select device from attribution.contacts order by first_at');
  const bytes = (hash: string) => Buffer.from(hash, 'base64url');

  it('stores the link under the id of its message', async () => {
    const link = {
      email: hashOf('kim@example.com'),
      originalUrl: 'https://demo.links.test/1?a=b',
      platform: 'android' as const,
    };
    const answer = await fixture.bus.ask(StorePendingLink, toStore(link), { id: id(0x100) });
    expect(answer).toEqual({ ok: true, reply: { pendingLinkId: id(0x100) } });
    const rows = await fixture.database.rows('select * from attribution.pending_links');
    expect(rows).toEqual([
      expect.objectContaining({
        id: id(0x100),
        link_id: id(1),
        kind: 'store',
        original_url: 'https://demo.links.test/1?a=b',
        platform: 'android',
        email: bytes(link.email),
        fingerprint: null,
        people: 1,
        closed_by: null,
      }),
    ]);
  });

  it('counts a person at the address: by fingerprint, else by email, else by user agent', async () => {
    const [phone, email] = [hashOf('phone'), hashOf('kim@example.com')];
    await fixture.bus.ask(StorePendingLink, toStore({ fingerprint: phone, email }));
    await fixture.bus.ask(StorePendingLink, toStore({ email }));
    await fixture.bus.ask(StorePendingLink, toStore());
    await fixture.bus.ask(StorePendingLink, toStore({ address: null, fingerprint: hashOf('another') }));
    expect((await contacts()).map((contact) => contact.device)).toEqual([phone, email, SDK].map(bytes));
    const people = await fixture.database.rows('select people from attribution.pending_links order by tapped_at');
    expect(people).toEqual([{ people: 1 }, { people: 2 }, { people: 2 }, { people: 0 }]);
  });
});
