// The links of the app: those of its campaigns, and the invites of its people.
import type { UtmName } from '@landfall/contracts';
import type { Day } from '../days.ts';
import { type Random, randomOf, valuePicker } from '../random.ts';
import {
  type CampaignLink,
  HOLIDAY,
  HOLIDAY_BEGINS,
  holidayInterest,
  INVITERS,
  type Interest,
  inviteInterest,
  LAUNCH,
  launchInterest,
  MORE_INVITES_A_DAY,
  NEWSLETTER_WEEKDAY,
  newsletterInterest,
  VIRAL,
  VIRAL_FACTORS,
  viralDayOf,
  viralInterest,
  WEEK,
} from './campaigns.ts';
import { type ChannelName, inviteChannel } from './channels.ts';

export interface PlannedLink {
  readonly linkId: string;
  /** Begins with the milliseconds of `createdAt`. */
  readonly slug: string;
  readonly createdAt: Date;
  readonly destination: string;
  /** The metadata of the link. The app names both keys as labels. Only invites have an inviter. */
  readonly labels: { readonly campaign: string; readonly inviter?: string };
  readonly url: string;
  readonly utm: Readonly<Record<UtmName, string | null>> | null;
  readonly channel: ChannelName;
  /** The index of the day on which it is created. */
  readonly createdOn: number;
  /** A newsletter is read in the hours after it was sent. */
  readonly isNewsletter: boolean;
  /** Returns the interest on a day that is not before the creation. */
  readonly interest: (day: Day) => number;
}

/**
 * Returns the links in order of creation.
 * @param range.key names the range, so that the links of another range are others
 */
export function planLinks({ days, key }: { days: readonly Day[]; key: string }): PlannedLink[] {
  const random = randomOf(`links ${key}`);
  const campaigns = [...launch(days), ...newsletters(days), ...holiday(days)];
  return [...campaigns, ...invites(days, random)]
    .map((link) => created(link, days[link.createdOn]!, random))
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
}

/** A link before it has an id. */
type Draft = Pick<
  PlannedLink,
  'destination' | 'labels' | 'utm' | 'channel' | 'createdOn' | 'isNewsletter' | 'interest'
>;

function created(draft: Draft, day: Day, random: Random): PlannedLink {
  // In the first hours of the day, so that the rest of the day is left for clicks.
  const createdAt = day.start + Math.floor((day.end - day.start) * (0.15 + 0.2 * random.next()));
  const linkId = random.uuid();
  const slug = `${createdAt}-${random.uuid().replaceAll('-', '').slice(-16)}`;
  const url = `https://demo-shop.links.example/${slug}`;
  return { ...draft, linkId, slug, createdAt: new Date(createdAt), url };
}

function inCampaign(campaign: string, link: CampaignLink, createdOn: number, interest: Interest): Draft {
  const utm = {
    source: link.channel === 'email' ? 'newsletter' : link.channel,
    medium: link.medium,
    campaign,
    term: link.term ?? null,
    content: link.name,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(utm)) if (value !== null) query.set(`utm_${name}`, value);
  return {
    destination: `/${campaign}/${link.name}?${query}`,
    labels: { campaign },
    utm,
    channel: link.channel,
    createdOn,
    isNewsletter: false,
    interest: ({ index, progress, weekday }) =>
      (link.weight / 100) * WEEK[weekday]! * interest(progress, index - createdOn),
  };
}

function launch(days: readonly Day[]): Draft[] {
  const viralDay = viralDayOf(days.length);
  const video = inCampaign('launch', VIRAL, 0, viralInterest);
  const interest = (day: Day) => video.interest(day) * (VIRAL_FACTORS[day.index - viralDay] ?? 1);
  return [...LAUNCH.map((link) => inCampaign('launch', link, 0, launchInterest)), { ...video, interest }];
}

function newsletters(days: readonly Day[]): Draft[] {
  return days
    .filter(({ weekday }) => weekday === NEWSLETTER_WEEKDAY)
    .map(({ index }, week) => {
      const link = { name: `issue-${week + 1}`, channel: 'email', medium: 'email', weight: 100 } as const;
      return { ...inCampaign('newsletter', link, index, newsletterInterest), isNewsletter: true };
    });
}

function holiday(days: readonly Day[]): Draft[] {
  const first = days.findIndex(({ progress }) => progress >= HOLIDAY_BEGINS);
  return first < 0 ? [] : HOLIDAY.map((link) => inCampaign('holiday', link, first, holidayInterest));
}

/** A few people invite many others, most invite one or two. */
function invites(days: readonly Day[], random: Random): Draft[] {
  const eager = valuePicker(INVITERS.map((name, rank) => [name, 1 / (rank + 1)] as const));
  const inviters = [...INVITERS, ...Array.from({ length: MORE_INVITES_A_DAY * days.length }, () => eager(random))];
  return inviters.map((inviter) => {
    // More people have the app later in the range.
    const createdOn = Math.floor(days.length * Math.sqrt(random.next()));
    // Some invites go to one person, and some to a group.
    const size = random.skewed(1, 0.7);
    return {
      destination: `/invite?from=${inviter}`,
      labels: { inviter, campaign: 'invite' },
      utm: null,
      channel: inviteChannel(random),
      createdOn,
      isNewsletter: false,
      interest: ({ index, progress, weekday }) => size * WEEK[weekday]! * inviteInterest(progress, index - createdOn),
    };
  });
}
