// The number of clicks of each link on each day, and their times.

import type { Day, Range } from '../days.ts';
import { type Random, randomOf } from '../random.ts';
import { NEWSLETTER_HOUR, type PlannedLink } from './demo-links.ts';

/**
 * Divides the clicks among the links and the days. Returns a function for the clicks of a day, one number for each
 * link. The sum over all days is exactly `range.clicks`.
 */
export function planClicks(range: Range, links: readonly PlannedLink[]): (day: Day) => number[] {
  const random = randomOf(`clicks ${range.key}`);
  const interests = range.days.map((day) =>
    links.map((link) => {
      if (link.createdOn > day.index) return 0;
      const luck = 0.8 + 0.4 * random.next();
      return link.interest(day) * day.share * luck;
    }),
  );
  const total = interests.flat().reduce((sum, interest) => sum + interest, 0);
  let sum = 0;
  let given = 0;
  // Rounds the sums. Rounded parts would not add up to the whole.
  const counts = interests.map((row) =>
    row.map((interest) => {
      sum += interest;
      const before = given;
      given = Math.round((sum / total) * range.clicks);
      return given - before;
    }),
  );
  return (day) => counts[day.index]!;
}

/** A link is a number below this one, so that a time and a link fit in one number. */
const MOST_LINKS = 65_536;

/** Returns the taps of a day in order of time: the time in milliseconds, and the place of the link in the list. */
export function* tapsOn(
  day: Day,
  links: readonly PlannedLink[],
  counts: readonly number[],
  random: Random,
): Generator<[at: number, link: number]> {
  const taps = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
  let n = 0;
  for (const [index, count] of counts.entries())
    for (let i = 0; i < count; i++) taps[n++] = (timeOf(links[index]!, day, random) - day.start) * MOST_LINKS + index;
  // Numbers sort much faster than objects.
  taps.sort();
  for (const tap of taps) yield [day.start + Math.floor(tap / MOST_LINKS), tap % MOST_LINKS];
}

function timeOf(link: PlannedLink, day: Day, random: Random): number {
  const isNew = link.createdOn === day.index;
  if (isNew && link.isNewsletter && random.chance(0.65)) {
    const read = day.start + Math.floor(NEWSLETTER_HOUR * 3_600_000 + random.skewed(45 * 60_000, 0.9));
    if (read < day.end) return Math.max(read, link.createdAt.getTime() + 1);
  }
  const at = day.at(random.next());
  const created = link.createdAt.getTime();
  if (!isNew || at > created) return at;
  // Nobody taps a link before it exists.
  return created + 1 + Math.floor((day.end - created - 1) * random.next());
}
