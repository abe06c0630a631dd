import type { One } from '@landfall/bus';
import { funnelSteps, type QueryFunnel } from '@landfall/contracts';
import { iso, isRefused, questionOf, rangeView } from '../domain/question.ts';
import type { FigureStore, Followed } from '../store.ts';

const NOTHING: Omit<Followed, 'value'> = {
  clicks: 0,
  restores: 0,
  installs: 0,
  opens: 0,
  toRestore: null,
  toInstall: null,
};

/** Follows the clicks of a range, by one of their dimensions. */
export function queryFunnel(store: FigureStore): One<typeof QueryFunnel> {
  return async (input, { now }) => {
    const asked = await questionOf(store, input, { ...input, metric: 'clicks', interval: 'total' }, now);
    if (isRefused(asked)) return { refusal: asked };
    const { question, range } = asked;
    const [found, coverage] = await Promise.all([store.funnel(question), store.coverage()]);
    const groups = found.length > 0 || input.groupBy !== null ? found : [{ value: null, ...NOTHING }];
    return {
      reply: {
        ...rangeView(range),
        groups: groups.map((group) => ({ value: group.value, name: null, steps: stepsOf(group) })),
        completeFrom: coverage && iso(coverage.factsFrom),
      },
    };
  };
}

function stepsOf(group: Followed) {
  const delays = { clicks: null, restores: group.toRestore, installs: group.toInstall, opens: null };
  return funnelSteps.map((step) => ({ step, count: group[step], sinceClick: delays[step] }));
}
