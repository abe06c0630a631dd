// The page with the rows of a figure, as it is in the URL.
import { METRICS, type Metric, type View, viewOf } from './view.ts';

/** The steps of the funnel after its first one. Their rows are the taps that led there. */
export const FUNNEL = ['funnel.restores', 'funnel.installs', 'funnel.opens'] as const;
/** People of several days are a mean, which has no rows. */
export const FIGURES = [...METRICS.filter((metric) => metric !== 'visitors'), ...FUNNEL] as const;
export type RowFigure = Exclude<Metric, 'visitors'> | (typeof FUNNEL)[number];

export interface RowsView extends Pick<View, 'range' | 'from' | 'to' | 'filter' | 'spelling'> {
  figure?: RowFigure;
}

export function rowsViewOf(given: Record<string, unknown>): RowsView {
  const { range, from, to, filter, spelling } = viewOf(given);
  const figure = FIGURES.find((one) => one === given.figure);
  return {
    ...(figure && { figure }),
    ...(range && { range }),
    ...(from !== undefined && to !== undefined && { from, to }),
    ...(filter && { filter }),
    ...(spelling && { spelling }),
  };
}

/** The parts of a view that its rows have as well. */
export const rowsOf = (view: View, figure: RowFigure, filter = view.filter): RowsView =>
  rowsViewOf({ ...view, filter, figure });

/** The metric whose events the rows are. */
export const metricOfRows = (figure: RowFigure): Metric =>
  FUNNEL.some((step) => step === figure) ? 'clicks' : (figure as Metric);
