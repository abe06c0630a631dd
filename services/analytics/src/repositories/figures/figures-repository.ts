// Answers questions from PostgreSQL: from counts when these have the answer, else from facts.
import type { Database, Sql } from '@landfall/db';
import { isCounted, isSparse } from '../../domain/metrics.ts';
import { dimensionsOf, partOf } from '../../domain/question.ts';
import { type AnalyticsStore, type FigureStore, type Question, QuestionTooLarge, type Turns } from '../../store.ts';
import { zoneOfApp } from '../app-repository.ts';
import { readyTotals } from '../links/keep-totals.ts';
import { listLinkInstalls, listTaps } from '../links/link-list-repository.ts';
import { listLive } from '../live-repository.ts';
import { coverageOf } from '../partition-repository.ts';
import { countedFigures } from './counted-figures.ts';
import { factBreakdowns } from './fact-breakdowns.ts';
import { activity, clickedLinks, factFigures } from './fact-figures.ts';
import { figuresOfLinks } from './figures-of-links.ts';
import { followed } from './funnel.ts';
import { listedEvents } from './listed-events.ts';
import { breakdownOf } from './rows-to-figures.ts';

/** PostgreSQL ends a question after this time, with this code. */
const LIMITS = ["set local statement_timeout = '15s'", "set local work_mem = '64MB'"];
/** The planner does not know how few buckets there are, and would leave all facts to one process. */
const PARALLEL = 'set local parallel_tuple_cost = 0';
/** Other statements have one plan for all values. Here it matters how many days and which values are asked for. */
const PLANNED = 'set local plan_cache_mode = force_custom_plan';
const STATEMENT_TIMEOUT = '57014';

export function figuresRepository(sql: Database): AnalyticsStore {
  return {
    inTurns: (turns) => figuresInTurns(sql, turns),
    live: (...asked) => listLive(sql, ...asked),
    taps: (asked) => listTaps(sql, asked),
    linkInstalls: (asked) => listLinkInstalls(sql, asked),
  };
}

function figuresInTurns(sql: Database, { counts, facts }: Turns): FigureStore {
  const within = <T>(settings: readonly string[], ask: (tx: Sql) => Promise<T>): Promise<T> =>
    sql.transaction((tx) => {
      for (const setting of settings) tx.send(setting);
      return ask(tx);
    });
  const fromCounts = <T>(ask: (tx: Sql) => Promise<T>): Promise<T> => counts(() => within([PLANNED], ask));
  const fromFacts = <T>(ask: (tx: Sql) => Promise<T>): Promise<T> =>
    facts(() =>
      within([...LIMITS, PARALLEL, PLANNED], ask).catch((error: { code?: unknown }) => {
        throw error.code === STATEMENT_TIMEOUT ? new QuestionTooLarge({ cause: error }) : error;
      }),
    );
  return {
    zone: (appId) => zoneOfApp(sql, appId),
    async coverage() {
      const coverage = await coverageOf(sql);
      if (coverage === null) return null;
      const completeFrom = coverage.completeFrom.getTime();
      return { completeFrom, factsFrom: Math.max(completeFrom, coverage.keptFrom?.getTime() ?? 0) };
    },
    figures: (question) =>
      hasCounts(question)
        ? fromCounts((tx) => countedFigures(tx, question))
        : fromFacts((tx) => factFigures(tx, question)),
    async breakdowns(question, parts) {
      const { counted = [], single = [] } = Object.groupBy(parts, (part) =>
        hasCounts(partOf(question, part)) ? 'counted' : 'single',
      );
      // Facts are read once for all dimensions. Counts take milliseconds for each.
      const [ofCounts, ofFacts] = await Promise.all([
        Promise.all(
          counted.map((part) => fromCounts((tx) => countedFigures(tx, partOf(question, part))).then(breakdownOf)),
        ),
        single.length === 0 ? [] : fromFacts((tx) => factBreakdowns(tx, question, single)),
      ]);
      const found = [...ofCounts, ...ofFacts];
      const places = new Map([...counted, ...single].map((part, place) => [part, place]));
      return parts.map((part) => found[places.get(part)!]!);
    },
    funnel: (question) => fromFacts((tx) => followed(tx, question)),
    list: (question, listing) => fromFacts((tx) => listedEvents(tx, question, listing)),
    clickedLinks: (question) => fromFacts((tx) => clickedLinks(tx, question)),
    activity: (question) => fromFacts((tx) => activity(tx, question)),
    async linkFigures(question) {
      await readyTotals(sql, question.appId, question.today);
      return fromCounts((tx) => figuresOfLinks(tx, question));
    },
  };
}

/** Counts have one dimension, and hours only in total. */
function hasCounts({ metric, wholeDays, wholeHours, filters, groupBy }: Question): boolean {
  const dimensions = new Set(dimensionsOf({ filters, groupBy }));
  if (dimensions.size === 0) return wholeDays || (wholeHours && metric !== 'visitors');
  if (!wholeDays || dimensions.size > 1) return false;
  // Facts without a value of a sparse dimension are in no count of it.
  const lacksValue = filters.some(({ dimension, values }) => isSparse(metric, dimension) && values.includes(null));
  return !lacksValue && [...dimensions].every((dimension) => isCounted(metric, dimension));
}
