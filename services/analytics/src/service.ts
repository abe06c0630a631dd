import { type Bus, each, eachAtOnce, type Log, type One, type Outcome } from '@landfall/bus';
import {
  AppChanged,
  ListEvents,
  ListLinkInstalls,
  ListLiveEvents,
  ListTaps,
  QueryAnalytics,
  QueryBreakdowns,
  QueryCohorts,
  QueryFunnel,
  QueryLinkFigures,
  QueryReferrals,
  type RequestDef,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Metrics } from '@landfall/runtime';
import { type CountOthers, othersMetric } from './analytics-metrics.ts';
import type { OnClickHouse } from './clickhouse/index.ts';
import { factsOf } from './facts-of.ts';
import { followApp } from './handlers/follow-app.ts';
import { gathering, ingest, MOST_MESSAGES } from './handlers/ingest.ts';
import { listEvents } from './handlers/list-events.ts';
import { listLinkInstalls, listTaps } from './handlers/list-of-link.ts';
import { queryAnalytics } from './handlers/query-analytics.ts';
import { queryBreakdowns } from './handlers/query-breakdowns.ts';
import { queryCohorts } from './handlers/query-cohorts.ts';
import { queryFunnel } from './handlers/query-funnel.ts';
import { queryLinkFigures } from './handlers/query-link-figures.ts';
import { queryReferrals } from './handlers/query-referrals.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createPartitions } from './partitions.ts';
import { TooManyQuestions } from './questions/gate.ts';
import { createQuestions } from './questions/turns.ts';
import { figuresRepository } from './repositories/figures/figures-repository.ts';
import { type AnalyticsStore, type FigureStore, QuestionTooLarge } from './store.ts';

export function countings(database: Database, countOthers: CountOthers = () => {}) {
  const partitions = createPartitions(database);
  return factsOf.map(([event, facts]) => ({ event, listener: ingest(database, partitions, facts, countOthers) }));
}

export const countedTopics: readonly string[] = factsOf.map(([event]) => event.topic);

interface AnalyticsParts {
  bus: Bus;
  database: Database;
  metrics?: Pick<Metrics, 'count'>;
}

/** Counts events as they come. */
export function analyticsService({ bus, database, metrics }: AnalyticsParts): void {
  for (const { event, listener } of countings(database, othersMetric(metrics)))
    bus.listen('analytics', event, gathering(listener), { max: MOST_MESSAGES });
  bus.listen('analytics', AppChanged, followApp(database));
  answerQuestions(bus, figuresRepository(database));
}

/** Answers questions from ClickHouse, which reads the topics by itself. */
export function analyticsFromClickHouse({ bus, database }: AnalyticsParts, { store, mirror }: OnClickHouse): void {
  const copy = (appIds: readonly string[]) => mirror.copy(new Date(), appIds);
  bus.listen('analytics', AppChanged, followApp(database, copy));
  answerQuestions(bus, store);
}

/** Stores events as they come, and counts them soon after, when the inbox is started. */
export function analyticsWithInbox({ bus, database, log, metrics }: AnalyticsParts & { log: Log }): Inbox {
  const inbox = createInbox(database, log, othersMetric(metrics));
  for (const [event] of factsOf) bus.listen('analytics', event, inbox.listener(event));
  bus.listen('analytics', AppChanged, followApp(database));
  const store = figuresRepository(database);
  const live: AnalyticsStore['live'] = (...asked) => {
    inbox.watched();
    return store.live(...asked);
  };
  answerQuestions(bus, { ...store, live });
  return inbox;
}

function answerQuestions(bus: Bus, store: AnalyticsStore): void {
  const questions = createQuestions();
  const inTurns = <D extends FigureQuery>(answer: (store: FigureStore) => One<D>) =>
    eachAtOnce<D>(async (input, context) => {
      // A gateway of an older version names no caller.
      const { appId, caller } = input as { appId: string; caller: string | null };
      const asker = { appId, caller: caller ?? appId, expired: () => context.expired() };
      try {
        return await questions.work(asker, (turns) => answer(store.inTurns(turns))(input, context));
      } catch (error) {
        return { refusal: refusalOf(error) } as unknown as Outcome<D>;
      }
    });
  bus.answer(QueryAnalytics, inTurns(queryAnalytics));
  bus.answer(QueryBreakdowns, inTurns(queryBreakdowns));
  bus.answer(QueryFunnel, inTurns(queryFunnel));
  bus.answer(QueryCohorts, inTurns(queryCohorts));
  bus.answer(QueryReferrals, inTurns(queryReferrals));
  bus.answer(QueryLinkFigures, inTurns(queryLinkFigures));
  bus.answer(ListTaps, each(listTaps(store)));
  bus.answer(ListLinkInstalls, each(listLinkInstalls(store)));
  bus.answer(ListEvents, inTurns(listEvents));
  bus.answer(
    ListLiveEvents,
    each(async ({ appId, since, limit, kind }) => ({
      reply: { events: await store.live(appId, new Date(since), limit, kind ?? null) },
    })),
  );
}

type FigureQuery = RequestDef & {
  kind: 'query';
  refusals: { TOO_MANY_QUESTIONS: unknown };
};

/** The store cannot answer in time, or has no place for the question. */
function refusalOf(error: unknown) {
  if (error instanceof QuestionTooLarge) return { code: 'QUESTION_TOO_LARGE', facts: {} };
  if (error instanceof TooManyQuestions) return { code: 'TOO_MANY_QUESTIONS', facts: { seconds: error.seconds } };
  throw error;
}
