// Turns the scores of several seeds into figures with a spread.
import { type Score, sumOf } from './score.ts';

export interface Figure {
  readonly value: number;
  /** Half of the range over the seeds. */
  readonly spread: number;
}

export interface Summary {
  readonly installs: number;
  /** Links that people got and never tapped, per 1,000 installs. */
  readonly wrong: Figure;
  /** Of these, those that went to users who had the app for over an hour. */
  readonly wrongExisting: Figure;
  /** Due links that arrived, per 100 installs that came from a tap. */
  readonly found: Figure;
  /** Links that a device got again, per 1,000 installs. */
  readonly repeated: Figure;
}

/** Summarizes the scores of one rule in one world, one score for each seed. */
export function summarize(scores: readonly Score[]): Summary {
  const figure = (of: (score: Score) => number): Figure => {
    const each = scores.map(of).filter(Number.isFinite);
    const spread = each.length === 0 ? Number.NaN : (Math.max(...each) - Math.min(...each)) / 2;
    return { value: of(sumOf(scores)), spread };
  };
  return {
    installs: sumOf(scores).installs,
    wrong: figure(perThousand('wrong')),
    wrongExisting: figure(perThousand('wrongExisting')),
    found: figure(({ found, fromTap }) => (100 * found) / fromTap),
    repeated: figure(perThousand('repeated')),
  };
}

/**
 * Summarizes several worlds: wrong and repeated links of all installs together, and the mean of what is found in each
 * world.
 * @param worlds the scores of each world, one for each seed
 */
export function summarizeAll(worlds: readonly (readonly Score[])[]): Summary {
  const seeds = worlds[0]?.length ?? 0;
  const together = summarize(Array.from({ length: seeds }, (_, seed) => sumOf(worlds.map((scores) => scores[seed]!))));
  const foundIn = (scores: readonly (readonly Score[])[]) => mean(scores.map((of) => summarize(of).found.value));
  const each = Array.from({ length: seeds }, (_, seed) => foundIn(worlds.map((scores) => [scores[seed]!])));
  return { ...together, found: { value: foundIn(worlds), spread: (Math.max(...each) - Math.min(...each)) / 2 } };
}

const perThousand =
  (name: 'wrong' | 'wrongExisting' | 'repeated') =>
  (score: Score): number =>
    (1000 * score[name]) / score.installs;

const mean = (numbers: readonly number[]): number => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
