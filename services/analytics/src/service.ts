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
import { queryAnalytics } from './handlers/query-analytics.ts';
import { queryCohorts } from './handlers/query-cohorts.ts';
import { queryFunnel } from './handlers/query-funnel.ts';
import { queryReferrals } from './handlers/query-referrals.ts';
import { createPartitions } from './partitions.ts';
import { figuresRepository } from './repositories/figures-repository.ts';

export function analyticsService({ bus, database }: { bus: Bus; database: Database }): void {
  const partitions = createPartitions(database);
  const count = <E extends EventDef>(event: E, facts: (message: Message<DataOf<E>>) => Fact[]) =>
    bus.listen('analytics', event, ingest(database, partitions, facts) as Listener<E>, { max: MOST_MESSAGES });

  count(LinkClicked, factsOf.clicked);
  count(LinkOpened, factsOf.opened);
  count(LinkCreated, factsOf.created);
  count(LinksRestored, factsOf.restored);
  count(DeviceInstalled, factsOf.installed);
  count(DeviceActive, factsOf.active);
  count(PushRegistered, factsOf.registered);
  count(PushSent, factsOf.pushSent);
  count(PushOpened, factsOf.pushOpened);
  bus.listen('analytics', AppChanged, followApp(database));

  const store = figuresRepository(database);
  bus.answer(QueryAnalytics, each(queryAnalytics(store)));
  bus.answer(QueryFunnel, each(queryFunnel(store)));
  bus.answer(QueryCohorts, each(queryCohorts(store)));
  bus.answer(QueryReferrals, each(queryReferrals(store)));
}
