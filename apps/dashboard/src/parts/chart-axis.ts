// The axis of figures: whole numbers, and an end above the highest point.

/** The distances between marks. A count has no halves. */
export const WHOLE = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].flatMap((by) =>
  [1, 2, 5].map((step) => step * by),
);
/** Marks on the axis at most, besides zero. */
const MARKS = 4;

/** Returns the end of the axis: a mark above the highest point, so that no line ends at the edge. */
export function topOf(max: number): number {
  const step = WHOLE.find((one) => one * MARKS > max) ?? max;
  return step * (Math.floor(max / step) + 1);
}
