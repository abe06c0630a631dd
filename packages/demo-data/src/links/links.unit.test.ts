// Checks the links, and how people tap them over time.
import { LinkCreated } from '@landfall/contracts';
import { expect, test } from 'vitest';
import { byDay, clicks, DAY_MS, links, local, mean, of, options, shares } from '../sample.testing.ts';

test('are created before they are tapped, as demoLinks says', () => {
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

test('have few inviters with most of the clicks', () => {
  const inviters = shares(clicks.flatMap(({ data }) => data.labels.inviter ?? []));
  expect(inviters.size).toBeGreaterThan(50);
  expect(inviters.size).toBeLessThanOrEqual(60);
  const sorted = [...inviters.values()].toSorted((a, b) => b - a);
  expect(sorted.slice(0, 10).reduce((sum, share) => sum + share, 0)).toBeGreaterThan(0.4);
});

const ofCampaign = (name: string) => clicks.filter(({ data }) => data.labels.campaign === name);

test('of the launch decline, those of the holidays come last, and the newsletter has a peak each Tuesday', () => {
  const at = ({ now }: { now: Date }) => 1 - (options.until.getTime() - now.getTime()) / (90 * DAY_MS);
  const launch = ofCampaign('launch').filter(({ data }) => data.utm!.content !== 'video');
  expect(launch.filter((click) => at(click) < 0.2).length).toBeGreaterThan(launch.length / 2);
  expect(Math.min(...ofCampaign('holiday').map(at))).toBeGreaterThan(0.65);
  const weekdays = shares(ofCampaign('newsletter').map(({ now }) => local(now).getUTCDay()));
  expect(weekdays.get(2)).toBeGreaterThan(2 * weekdays.get(3)!);
  expect([...weekdays.keys()]).toHaveLength(7);
});

test('one goes viral for three days, mostly in the browsers of apps', () => {
  const video = clicks.filter(({ data }) => data.utm?.content === 'video');
  const days = byDay(video).toSorted((a, b) => b.length - a.length);
  const [peak, usual] = [days.slice(0, 3), days.slice(3)];
  expect(mean(peak.map(({ length }) => length)) / mean(usual.map(({ length }) => length))).toBeGreaterThan(7);
  const times = peak.map(({ day }) => Date.parse(day)).toSorted();
  expect(times[2]! - times[0]!).toBe(2 * DAY_MS);
  expect(mean(video.map(({ data }) => (data.inApp ? 1 : 0)))).toBeGreaterThan(0.7);
});
