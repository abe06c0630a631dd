// Spans in milliseconds, and the hours at which people are awake. A run begins at midnight, at time 0.
import { type Random, sumsOf } from './random.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** How much people do in each hour of a day, relative to other hours. A guess: little at night, most in the evening. */
const ACTIVITY = sumsOf([2, 1, 1, 1, 1, 2, 4, 7, 8, 8, 8, 9, 10, 9, 8, 8, 9, 10, 11, 12, 12, 11, 8, 4]);

/** Returns a time of the day at which somebody does something. */
export const someTime = (random: Random, day: number): number =>
  Math.floor(day * DAY + (random.weighted(ACTIVITY) + random.uniform()) * HOUR);
