// The links of the app: those of its campaigns, and the invites of its people. An interest of 1 is about as much as the
// whole app gets on an average day.
import type { UtmName } from '@landfall/contracts';
import type { Day } from '../days.ts';
import { type Random, randomOf, valuePicker } from '../random.ts';
import { type ChannelName, inviteChannel } from './channels.ts';

/** Returns the interest on a day. `at` is the position in the range, from 0 to 1. `age` is the age of the link in days. */
type Interest = (at: number, age: number) => number;

interface CampaignLink {
  readonly name: string;
  readonly channel: ChannelName;
  readonly medium: 'social' | 'cpc' | 'email' | 'print' | 'referral';
  readonly term?: string;
  /** The share of the campaign's interest, in percent. */
  readonly weight: number;
}

/** The launch declines, and a rest of it stays. */
const launchInterest: Interest = (at) => 1.7 * Math.exp(-at / 0.1) + 0.08;
const LAUNCH: readonly CampaignLink[] = [
  { name: 'story', channel: 'instagram', medium: 'social', weight: 16 },
  { name: 'bio', channel: 'instagram', medium: 'social', weight: 9 },
  { name: 'post', channel: 'facebook', medium: 'social', weight: 12 },
  { name: 'ad', channel: 'facebook', medium: 'cpc', weight: 14 },
  { name: 'thread', channel: 'x', medium: 'social', weight: 7 },
  { name: 'review', channel: 'youtube', medium: 'referral', weight: 8 },
  { name: 'question', channel: 'reddit', medium: 'social', weight: 6 },
  { name: 'team', channel: 'linkedin', medium: 'social', weight: 4 },
  { name: 'search', channel: 'google', medium: 'cpc', term: 'shopping app', weight: 11 },
  { name: 'poster', channel: 'poster', medium: 'print', weight: 7 },
  { name: 'website', channel: 'banner', medium: 'referral', weight: 6 },
];

/** The video goes viral for three days, with about ten times its usual clicks. */
const VIRAL: CampaignLink = { name: 'video', channel: 'tiktok', medium: 'social', weight: 100 };
const VIRAL_FACTORS: readonly number[] = [9, 13, 8];
const viralInterest: Interest = () => 0.08;

/** The newsletter is sent on Tuesdays at this hour. */
const NEWSLETTER_WEEKDAY = 1;
export const NEWSLETTER_HOUR = 9;
const newsletterInterest: Interest = (at, age) => (0.55 + 0.35 * at) * (age === 0 ? 1 : 0.32 * 0.45 ** (age - 1));

/** The holidays are in the last third, and they rise. */
export const HOLIDAY_BEGINS = 2 / 3;
const holidayInterest: Interest = (at) =>
  at < HOLIDAY_BEGINS ? 0 : 0.3 + 0.6 * ((at - HOLIDAY_BEGINS) / (1 - HOLIDAY_BEGINS));
const HOLIDAY: readonly CampaignLink[] = [
  { name: 'reel', channel: 'instagram', medium: 'social', weight: 11 },
  { name: 'story-ad', channel: 'instagram', medium: 'cpc', weight: 12 },
  { name: 'creator', channel: 'instagram', medium: 'social', weight: 9 },
  { name: 'feed-ad', channel: 'facebook', medium: 'cpc', weight: 11 },
  { name: 'event', channel: 'facebook', medium: 'social', weight: 5 },
  { name: 'clip-ad', channel: 'tiktok', medium: 'cpc', weight: 9 },
  { name: 'countdown', channel: 'x', medium: 'social', weight: 3 },
  { name: 'search-brand', channel: 'google', medium: 'cpc', term: 'demo shop', weight: 7 },
  { name: 'search-gifts', channel: 'google', medium: 'cpc', term: 'gift ideas', weight: 8 },
  { name: 'pre-roll', channel: 'youtube', medium: 'cpc', weight: 5 },
  { name: 'guide', channel: 'email', medium: 'email', weight: 5 },
  { name: 'channel', channel: 'telegram', medium: 'social', weight: 3 },
  { name: 'window', channel: 'poster', medium: 'print', weight: 5 },
  { name: 'parcel', channel: 'poster', medium: 'print', weight: 4 },
  { name: 'website', channel: 'banner', medium: 'referral', weight: 3 },
];

/** An invite of usual size. People tap an invite for about a week. */
const inviteInterest: Interest = (at, age) => (0.007 + 0.017 * at) * Math.exp(-age / 5);
/** Each inviter sends one invite, and some send many more: this number for each day of the range. */
const MORE_INVITES_A_DAY = 2;
const INVITERS: readonly string[] =
  `maria arjun lena james sofia sita lucas emma kenji ana noah priya paul chloe diego ayu mia omar julia tom
   hana rafael eva liam anita felix camila yuki max olivia bikash clara hugo nina ravi isabel ben laura mateo rina
   jonas alice samir elif victor dewi leo amelie pedro grace anil marta finn zoe carlos kiran ida oscar lucia mei`.split(
    /\s+/,
  );

/** People in each day of the week, from Monday on. */
export const WEEK: readonly number[] = [0.9, 0.9, 0.93, 0.96, 1.02, 1.24, 1.2];

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
  const viralDay = Math.floor(days.length * 0.55);
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
