// The messages that the analytics service answers and listens to.
import type { Bus, Listener, Message } from '@landfall/bus';
import { each } from '@landfall/bus';
import {
  AppChanged,
  type DataOf,
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
import type { Fact } from './domain/fact.ts';
import * as factsOf from './domain/facts-of.ts';
import { followApp } from './handlers/follow-app.ts';
import { ingest, MOST_MESSAGES } from './handlers/ingest.ts';
import { listLiveEvents } from './handlers/list-live-events.ts';
import { queryAnalytics } from './handlers/query-analytics.ts';
import { queryCohorts } from './handlers/query-cohorts.ts';
import { queryFunnel } from './handlers/query-funnel.ts';
import { queryReferrals } from './handlers/query-referrals.ts';
import { unlessTooLarge } from './handlers/unless-too-large.ts';
import { createPartitions } from './partitions.ts';
import { figuresRepository } from './repositories/figures/figures-repository.ts';

/** An event, and the listener that counts it. */
export interface Counting {
  readonly event: EventDef;
  readonly listener: Listener<EventDef>;
}

/** Returns every event that is counted, with its listener. */
export function countings(database: Database): Counting[] {
  const partitions = createPartitions(database);
  const counting = <E extends EventDef>(event: E, facts: (message: Message<DataOf<E>>) => Fact[]): Counting => ({
    event,
    listener: ingest(database, partitions, facts),
  });
  return [
    counting(LinkClicked, factsOf.clicked),
    counting(LinkOpened, factsOf.opened),
    counting(LinkCreated, factsOf.created),
    counting(LinksRestored, factsOf.restored),
    counting(DeviceInstalled, factsOf.installed),
    counting(DeviceActive, factsOf.active),
    counting(PushRegistered, factsOf.registered),
    counting(PushSent, factsOf.pushSent),
    counting(PushOpened, factsOf.pushOpened),
  ];
}

export function analyticsService({ bus, database }: { bus: Bus; database: Database }): void {
  for (const { event, listener } of countings(database))
    bus.listen('analytics', event, listener, { max: MOST_MESSAGES });
  bus.listen('analytics', AppChanged, followApp(database));

  const store = figuresRepository(database);
  bus.answer(QueryAnalytics, each(unlessTooLarge(queryAnalytics(store))));
  bus.answer(QueryFunnel, each(unlessTooLarge(queryFunnel(store))));
  bus.answer(QueryCohorts, each(unlessTooLarge(queryCohorts(store))));
  bus.answer(QueryReferrals, each(unlessTooLarge(queryReferrals(store))));
  bus.answer(ListLiveEvents, each(listLiveEvents(database)));
}
