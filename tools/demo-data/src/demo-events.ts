// Walks through the days of an app.
import { LinkCreated } from '@landfall/contracts';
import { createAgenda, type DemoEvent } from './agenda.ts';
import { type Day, type DemoOptions, type Range, rangeOf } from './days.ts';
import { planLinks, WEEK } from './links/demo-links.ts';
import { planClicks, tapsOn } from './links/plan-clicks.ts';
import { phoneOwner } from './people/clients.ts';
import { createDevices } from './people/devices.ts';
import { createStarts } from './people/starts.ts';
import { createTaps } from './people/taps.ts';
import { randomOf } from './random.ts';

/**
 * Makes the public events of an app in order of time: `bus.tell(event, data, { id, now })` publishes one. The same
 * options give the same events with the same ids. Other options give other ids. Memory holds the events of one day,
 * and the devices of 30 days. Throws a RangeError for options that make no sense.
 */
export function* demoEvents(options: DemoOptions): Generator<DemoEvent> {
  const range = rangeOf(options);
  const { appId, days } = range;
  const links = planLinks(range);
  const clicksOn = planClicks(range, links);
  const random = randomOf(`events ${range.key}`);
  const agenda = createAgenda(days);
  const starts = createStarts(range.key);
  const devices = createDevices(appId, days, agenda, random);
  const taps = createTaps(range, agenda, devices, starts, random);
  for (const day of days) {
    for (const { createdOn, createdAt, linkId, slug, destination, labels } of links) {
      if (createdOn !== day.index) continue;
      const data = { linkId, appId, slug, destination, version: 1, labels, name: null, tags: [] };
      agenda.add(LinkCreated, random.uuid(), createdAt.getTime(), data);
    }
    taps.beginDay();
    for (const [at, link] of tapsOn(day, links, clicksOn(day), random)) taps.tap(links[link]!, at, day);
    for (let n = organicInstallsOn(day, range); n > 0; n--) {
      const owner = phoneOwner(random);
      const at = day.at(random.next());
      devices.install(owner, at, day, false).event.start = starts.losing(owner, at, null);
    }
    devices.pass(day);
    yield* agenda.take(day);
  }
}

/** The installs of people who came by no link: they find the app in a store. */
const ORGANIC_SHARE = 0.045;
const organicInstallsOn = ({ progress, weekday, share }: Day, { clicks, days }: Range): number =>
  Math.round((clicks / days.length) * ORGANIC_SHARE * (0.5 + progress) * WEEK[weekday]! * share);
