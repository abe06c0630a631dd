// The port to the store. PostgreSQL and ClickHouse answer the same questions with the same numbers.
import type {
  AnalyticsDimension,
  AnalyticsMetric,
  CountedEvent,
  FigureDays,
  LinkFigures,
  LinkInstall,
  LinkSort,
  LiveEvent,
  Tap,
} from '@landfall/contracts';
import type { Zone } from './domain/zone.ts';

/** Values of one dimension, of which a fact must have one. Null: no value. */
export interface Filter {
  readonly dimension: AnalyticsDimension;
  readonly values: readonly (string | null)[];
}

export interface Question {
  readonly appId: string;
  readonly metric: AnalyticsMetric;
  readonly zone: Zone;
  /** The beginnings of the buckets in milliseconds, in order. Facts before the first do not count. */
  readonly buckets: readonly number[];
  /** The end of the last bucket, exclusive. */
  readonly to: number;
  /** True when all buckets begin and end at a change of the day, except that the last may not be over. */
  readonly wholeDays: boolean;
  /** True when all buckets begin and end at a change of the hour, except that the last may not be over. */
  readonly wholeHours: boolean;
  readonly filters: readonly Filter[];
  readonly groupBy: AnalyticsDimension | null;
  readonly limit: number;
  /** False: values that `isFolded` names are one when they differ in capitals and outer spaces alone. */
  readonly exact: boolean;
}

export interface Group {
  readonly value: string | null;
  /** One number for each bucket. */
  readonly values: readonly number[];
}

export interface Figures {
  readonly source: 'counts' | 'facts';
  /** One number for each bucket. */
  readonly values: readonly number[];
  /** The groups with the greatest totals. Null without `groupBy`. */
  readonly groups: readonly Group[] | null;
  readonly groupCount: number;
}

export interface Part {
  readonly dimension: AnalyticsDimension;
  /** The groups that are wanted, as an answer named them. Null: those with the greatest numbers. */
  readonly only: readonly (string | null)[] | null;
}

/** The groups of a part, each with one number for the whole range. */
export interface Breakdown {
  readonly source: Figures['source'];
  /** The greatest first. */
  readonly groups: readonly { readonly value: string | null; readonly n: number }[];
  readonly groupCount: number;
}

/** Clicks with one value of the dimension of the question. Each number counts a part of the clicks of the one before. */
export interface Followed {
  readonly value: string | null;
  readonly clicks: number;
  readonly restores: number;
  readonly installs: number;
  readonly opens: number;
  /** The time from the click. Null: there are none. */
  readonly toRestore: Delay | null;
  readonly toInstall: Delay | null;
}

/** A question about the figures of links on the last days, of which today is one. */
export interface LinkQuestion {
  readonly appId: string;
  readonly zone: Zone;
  readonly days: FigureDays;
  readonly today: string;
  /** Null: all links of the app. */
  readonly linkIds: readonly string[] | null;
  /** The links with the most come first, those with none are left out. Null: all `linkIds`. */
  readonly sort: LinkSort | null;
  /** Continues behind this link of a sorted answer. */
  readonly after: { readonly n: number; readonly linkId: string } | null;
  readonly limit: number;
}

export type FiguresOfLink = LinkFigures & { readonly linkId: string };

/** A part of a list of one link, newest first. */
export interface OfLink {
  readonly appId: string;
  readonly linkId: string;
  readonly limit: number;
  /** The last row of the page before. */
  readonly after: { readonly at: Date; readonly id: string } | null;
}

/** A part of the rows of a figure, latest first. */
export interface Listing {
  /** Of clicks: only those that the funnel counts at this step. */
  readonly step: FunnelStep | null;
  /** The last row of the page before. Null: the rows are counted as well. */
  readonly after: { readonly at: Date; readonly id: string } | null;
}
/** The steps after the first one. */
export type FunnelStep = 'restores' | 'installs' | 'opens';

export interface Listed {
  readonly total: number | null;
  readonly events: readonly CountedEvent[];
}

/** What the store has, as times in milliseconds. */
export interface StoreCoverage {
  readonly completeFrom: number;
  readonly factsFrom: number;
}

/** Returns since when answers from these sources are complete. Null: nothing was counted so far. */
export const completeFrom = (coverage: StoreCoverage | null, sources: readonly Figures['source'][]): number | null =>
  coverage && (sources.includes('facts') ? coverage.factsFrom : coverage.completeFrom);

export interface FigureStore {
  /** The zone in which the days of an app are counted. */
  zone(appId: string): Promise<Zone>;
  /** Null: nothing was counted so far. */
  coverage(): Promise<StoreCoverage | null>;
  figures(question: Question): Promise<Figures>;
  /** Counts by each part, in their order. The range of the question is one bucket, and it has no `groupBy`. */
  breakdowns(question: Question, parts: readonly Part[]): Promise<readonly Breakdown[]>;
  /** Follows clicks to the devices that they led to. The groups with most clicks. */
  funnel(question: Question): Promise<readonly Followed[]>;
  /** Returns the events that a figure counts: at most as many as the limit of the question. */
  list(question: Question, listing: Listing): Promise<Listed>;
  /** How many distinct links were clicked, by group. */
  clickedLinks(question: Question): Promise<ReadonlyMap<string | null, number>>;
  /** How many devices of each day of install started the app on each day after it. */
  activity(question: Question): Promise<readonly ActivityRow[]>;
  /** Links without a figure may be left out. */
  linkFigures(question: LinkQuestion): Promise<readonly FiguresOfLink[]>;
}

/** Reads when it is the turn of the question. */
export type Turn = <T>(read: () => Promise<T>) => Promise<T>;

export interface Turns {
  readonly counts: Turn;
  readonly facts: Turn;
}

export interface AnalyticsStore {
  /** Returns the store of figures for one question, which reads in its turns. */
  inTurns(turns: Turns): FigureStore;
  /** Returns the events of an app since a time, oldest first. Of more than `limit`, the latest. `kind` null: all kinds. */
  live(appId: string, since: Date, limit: number, kind: LiveEvent['kind'] | null): Promise<LiveEvent[]>;
  /** Returns the taps of a link, and its openings by installed apps. */
  taps(asked: OfLink): Promise<Tap[]>;
  /** Returns the installs that a link led to, with the id of their place in the list. */
  linkInstalls(asked: OfLink): Promise<(LinkInstall & { readonly id: string })[]>;
}

/** The store ended a question that took too long, or more memory than it may have. */
export class QuestionTooLarge extends Error {
  constructor(options: { cause: unknown }) {
    super('The question is too large for the store', options);
  }
}

/** Seconds: of half and of nine tenths of the events at most. */
export interface Delay {
  readonly median: number;
  readonly p90: number;
}

export interface ActivityRow {
  /** The bucket of the install, from 0. */
  readonly bucket: number;
  /** Whole days since the install, from 1. */
  readonly installDay: number;
  readonly devices: number;
}
