// The campaigns, their links, and the interest in each link over time. An interest of 1 is about as much as the whole
// app gets on an average day.
import type { ChannelName } from './channels.ts';

/** Returns the interest on a day. `at` is the position in the range, from 0 to 1. `age` is the age of the link in days. */
export type Interest = (at: number, age: number) => number;

export interface CampaignLink {
  readonly name: string;
  readonly channel: ChannelName;
  readonly medium: 'social' | 'cpc' | 'email' | 'print' | 'referral';
  readonly term?: string;
  /** The share of the campaign's interest, in percent. */
  readonly weight: number;
}

/** The launch declines, and a rest of it stays. */
export const launchInterest: Interest = (at) => 1.7 * Math.exp(-at / 0.1) + 0.08;
export const LAUNCH: readonly CampaignLink[] = [
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
export const VIRAL: CampaignLink = { name: 'video', channel: 'tiktok', medium: 'social', weight: 100 };
export const VIRAL_FACTORS: readonly number[] = [9, 13, 8];
export const viralInterest: Interest = () => 0.08;
/** Returns the index of the first of these days. */
export const viralDayOf = (days: number): number => Math.floor(days * 0.55);

/** The newsletter is sent on Tuesdays at this hour. */
export const NEWSLETTER_WEEKDAY = 1;
export const NEWSLETTER_HOUR = 9;
export const newsletterInterest: Interest = (at, age) =>
  (0.55 + 0.35 * at) * (age === 0 ? 1 : 0.32 * 0.45 ** (age - 1));

/** The holidays are in the last third, and they rise. */
export const HOLIDAY_BEGINS = 2 / 3;
export const holidayInterest: Interest = (at) =>
  at < HOLIDAY_BEGINS ? 0 : 0.3 + 0.6 * ((at - HOLIDAY_BEGINS) / (1 - HOLIDAY_BEGINS));
export const HOLIDAY: readonly CampaignLink[] = [
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
export const inviteInterest: Interest = (at, age) => (0.007 + 0.017 * at) * Math.exp(-age / 5);
/** Each inviter sends one invite, and some send many more: this number for each day of the range. */
export const MORE_INVITES_A_DAY = 2;
export const INVITERS: readonly string[] =
  `maria arjun lena james sofia sita lucas emma kenji ana noah priya paul chloe diego ayu mia omar julia tom
   hana rafael eva liam anita felix camila yuki max olivia bikash clara hugo nina ravi isabel ben laura mateo rina
   jonas alice samir elif victor dewi leo amelie pedro grace anil marta finn zoe carlos kiran ida oscar lucia mei`.split(
    /\s+/,
  );

/** People in each day of the week, from Monday on. */
export const WEEK: readonly number[] = [0.9, 0.9, 0.93, 0.96, 1.02, 1.24, 1.2];
