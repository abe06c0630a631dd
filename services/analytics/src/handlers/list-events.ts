import type { One } from '@landfall/bus';
import { type BreakdownMetric, type ListEvents, type ListedFigure, nextCursor, readCursor } from '@landfall/contracts';
import { iso, isRefused, questionOf, rangeView } from '../domain/question.ts';
import type { FigureStore, FunnelStep } from '../store.ts';

const FUNNEL = 'funnel.';

/** A step of the funnel counts clicks. */
const countedBy = (figure: ListedFigure): { metric: BreakdownMetric; step: FunnelStep | null } =>
  figure.startsWith(FUNNEL)
    ? { metric: 'clicks', step: figure.slice(FUNNEL.length) as FunnelStep }
    : { metric: figure as BreakdownMetric, step: null };

/** Lists what a figure counts, so that everybody can check the figure. */
export function listEvents(store: FigureStore): One<typeof ListEvents> {
  return async (input, { now }) => {
    const { limit } = input;
    const { metric, step } = countedBy(input.figure);
    const asked = await questionOf(store, input, { metric, groupBy: null, limit, interval: 'total' }, now);
    if (isRefused(asked)) return { refusal: asked };
    const { question, range } = asked;
    const [{ total, events }, coverage] = await Promise.all([
      store.list(question, { step, after: readCursor(input.cursor) }),
      store.coverage(),
    ]);
    return {
      reply: {
        ...rangeView(range),
        total,
        events: [...events],
        next: nextCursor(events, limit, ({ at }) => at),
        completeFrom: coverage && iso(coverage.factsFrom),
      },
    };
  };
}
