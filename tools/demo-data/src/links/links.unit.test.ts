import { LinkCreated } from '@landfall/contracts';
import { expect, test } from 'vitest';
import { clicks, links, of } from '../sample.testing.ts';

test('are created before they are tapped, as planned', () => {
  const created = of(LinkCreated);
  expect(created.map(({ data }) => data.linkId)).toEqual([...links.keys()]);
  for (const { data, now } of created) {
    const { createdAt, slug, labels, destination } = links.get(data.linkId)!;
    expect({ ...data, now }).toMatchObject({ now: createdAt, slug, labels, destination });
    expect(slug).toMatch(new RegExp(`^${now.getTime()}-[a-z0-9]{12,20}$`));
  }
  expect(clicks.filter(({ data, now }) => !(links.get(data.linkId)!.createdAt < now))).toEqual([]);
});

test('have labels of their campaign and their inviter', () => {
  const campaigns = Map.groupBy(links.values(), ({ labels }) => labels.campaign);
  const sizes = Object.fromEntries([...campaigns].map(([name, all]) => [name, all.length]));
  // Sixty inviters, and two more invites a day. The range has twelve Tuesdays.
  expect(sizes).toEqual({ launch: 12, newsletter: 12, holiday: 15, invite: 60 + 2 * 90 });
  for (const { labels } of links.values()) expect('inviter' in labels).toBe(labels.campaign === 'invite');
  for (const { data } of clicks) {
    expect(data.labels).toEqual(links.get(data.linkId)!.labels);
    expect(data.utm?.campaign ?? 'invite').toBe(data.labels.campaign);
  }
});
