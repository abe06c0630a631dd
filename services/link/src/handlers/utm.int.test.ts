import { randomUUID } from 'node:crypto';
import { CreateLink, ListLinkUtm } from '@landfall/contracts';
import { handlerSuite } from '@landfall/testkit';
import { expect, it } from 'vitest';
import { listUtm } from '../repositories/utm-repository.ts';
import { linkService } from '../service.ts';

const appId = '11111111-1111-4111-8111-111111111111';
const madeBy = { kind: 'person', userId: '44444444-4444-4444-8444-444444444444' } as const;

handlerSuite('campaign values of links', { service: linkService }, (fixture) => {
  it('are listed without a tap, once each', async () => {
    const plan = { name: 'free', linksPerMonth: null };
    for (const query of ['utm_campaign=Summer%20Sale', 'x=2&utm_campaign=Summer%20Sale', 'utm_campaign=summer+sale'])
      await fixture.bus.ask(CreateLink, {
        appId,
        destination: `/a?${query}`,
        metadata: {},
        random: randomUUID().replaceAll('-', '').slice(0, 16),
        plan,
        madeBy,
      });
    expect(await listUtm(fixture.database, appId, 50)).toEqual([{ name: 'campaign', value: 'Summer Sale' }]);
    expect(await fixture.bus.ask(ListLinkUtm, { appId, limit: 50 })).toEqual({
      ok: true,
      reply: { values: [{ name: 'campaign', value: 'Summer Sale' }] },
    });
  });
});
