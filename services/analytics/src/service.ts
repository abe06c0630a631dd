// The messages that the analytics service answers and listens to.
import type { Bus, Listener, Log, Message } from '@landfall/bus';
import { each, eachAtOnce, type One } from '@landfall/bus';
import {
  AppChanged,
  DeviceActive,
  DeviceInstalled,
  type EventDef,
  LinkClicked,
  LinkCreated,
  LinkOpened,
  LinksRestored,
  ListLiveEvents,
  PushOpened,
  PushRegistered,
  PushSent,
  QueryAnalytics,
  QueryCohorts,
  QueryFunnel,
  QueryReferrals,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import type { Metrics } from '@landfall/runtime';
import { type CountOthers, othersMetric } from './analytics-metrics.ts';
import type { OnClickHouse } from './clickhouse/index.ts';
import type { Fact } from './domain/fact.ts';
import * as factsOf from './domain/facts-of.ts';
import { followApp } from './handlers/follow-app.ts';
import { gathering, ingest, MOST_MESSAGES } from './handlers/ingest.ts';
import { listLiveEvents } from './handlers/list-live-events.ts';
import { queryAnalytics } from './handlers/query-analytics.ts';
import { queryCohorts } from './handlers/query-cohorts.ts';
import { queryFunnel } from './handlers/query-funnel.ts';
import { queryReferrals } from './handlers/query-referrals.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { createPartitions } from './partitions.ts';
import { type FigureQuery, unlessRefused } from './questions/refusals.ts';
import { createQuestions } from './questions/turns.ts';
import { figuresRepository } from './repositories/figures/figures-repository.ts';
import type { AnalyticsStore, FigureStore } from './store.ts';

/** An event, and the listener that counts it. */
export interface Counting {
  readonly event: EventDef;
  readonly listener: Listener<EventDef>;
}

type FactsOf = (message: Message<never>) => Fact[];

const counted: readonly (readonly [EventDef, FactsOf])[] = [
  [LinkClicked, factsOf.clicked],
  [LinkOpened, factsOf.opened],
  [LinkCreated, factsOf.created],
  [LinksRestored, factsOf.restored],
  [DeviceInstalled, factsOf.installed],
  [DeviceActive, factsOf.active],
  [PushRegistered, factsOf.registered],
  [PushSent, factsOf.pushSent],
  [PushOpened, factsOf.pushOpened],
];

/** Returns the facts of one event. An event that is not counted has none. */
export function factsOfEvent(event: EventDef, message: Message<never>): Fact[] {
  const [, facts] = counted.find(([one]) => one.name === event.name) ?? [];
  return facts?.(message) ?? [];
}

/** Returns every event that is counted, with its listener. */
export function countings(database: Database, countOthers: CountOthers = () => {}): Counting[] {
  const partitions = createPartitions(database);
  return counted.map(([event, facts]) => ({
    event,
    listener: ingest(database, partitions, facts as never, countOthers),
  }));
}

/** The topics whose events are counted. */
export const countedTopics: readonly string[] = counted.map(([event]) => event.topic);

export interface AnalyticsParts {
  bus: Bus;
  database: Database;
  /** Without it, nothing is measured. */
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
export function analyticsFromClickHouse({
  bus,
  database,
  clickhouse: { store, mirror },
}: {
  bus: Bus;
  database: Database;
  clickhouse: OnClickHouse;
}): void {
  bus.listen(
    'analytics',
    AppChanged,
    followApp(database, (appIds) => mirror.copy(new Date(), appIds)),
  );
  answerQuestions(bus, store);
}

/** Stores events as they come, and counts them soon after, when the inbox is started. */
export function analyticsWithInbox({ bus, database, log, metrics }: AnalyticsParts & { log: Log }): Inbox {
  const byName = new Map(counted.map(([event, facts]) => [event.name, facts]));
  const inbox = createInbox({
    database,
    partitions: createPartitions(database),
    factsOf: byName,
    countOthers: othersMetric(metrics),
    log,
  });
  for (const [event] of counted) bus.listen('analytics', event, inbox.listener(event));
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
    eachAtOnce(
      unlessRefused<D>((input, context) => {
        const { appId, caller } = input;
        const asker = { appId, caller: caller ?? appId, expired: () => context.expired() };
        return questions.work(asker, (turns) => answer(store.inTurns(turns))(input, context));
      }),
    );
  bus.answer(QueryAnalytics, inTurns(queryAnalytics));
  bus.answer(QueryFunnel, inTurns(queryFunnel));
  bus.answer(QueryCohorts, inTurns(queryCohorts));
  bus.answer(QueryReferrals, inTurns(queryReferrals));
  bus.answer(ListLiveEvents, each(listLiveEvents(store)));
}
