// Stores facts and changes the counts in one transaction. Only facts that were not stored before are counted, so that a
// fact counts once however often it is delivered.
import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { distinct, type Listener, type Message } from '@landfall/bus';
import type { EventDef } from '@landfall/contracts';
import type { Database, SqlTransaction } from '@landfall/db';
import type { CountOthers } from '../analytics-metrics.ts';
import { type Counted, createTally, type Tally } from '../domain/counting.ts';
import type { Fact } from '../domain/fact.ts';
import { attributionOf, concernsInstall, type Install, unknownInstall, withFact } from '../domain/install.ts';
import { totalsOf } from '../domain/link-totals.ts';
import { metricsOf } from '../domain/metrics.ts';
import { addDays, type Zone } from '../domain/zone.ts';
import type { FactsOf } from '../facts-of.ts';
import type { Partitions } from '../partitions.ts';
import { appRepository } from '../repositories/app-repository.ts';
import { countRepository } from '../repositories/count-repository.ts';
import { addFacts, type StoredFact } from '../repositories/fact-repository.ts';
import { installKey, installRepository } from '../repositories/install-repository.ts';
import { endsOf, linkTotalRepository } from '../repositories/links/link-total-repository.ts';
import { type Visit, visitorRepository } from '../repositories/visitor-repository.ts';

/** Messages of one transaction. More would make it long, and its counts locked for long. */
export const MOST_MESSAGES = 2_000;

export function ingest(
  database: Database,
  partitions: Partitions,
  factsOf: FactsOf,
  countOthers: CountOthers,
): Listener<EventDef> {
  return async (batch) => {
    const facts = await partitions.kept(distinct(batch).flatMap((message) => factsOf(message as Message<never>)));
    const others = await database
      .transaction((tx) => storeFacts(tx, facts))
      .catch((error: unknown) => {
        // Another process may have dropped a partition. The next attempt looks again.
        partitions.forget();
        throw error;
      });
    if (others > 0) countOthers(others);
  };
}

/** A batch of fewer messages is that of a quiet time. */
const BUSY = 64;
const REST_MS = 200;

/** Rests after a batch of many messages, so that the next is larger: a transaction costs the same for few and for many. */
export function gathering<E extends EventDef>(listener: Listener<E>): Listener<E> {
  return async (batch) => {
    await listener(batch);
    if (batch.length >= BUSY && batch.length < MOST_MESSAGES) await setTimeout(REST_MS);
  };
}

/**
 * Stores facts whose months have a partition, and counts those that are new. An id may be there more than once.
 * @returns how much was counted as `(other)`
 */
export async function storeFacts(tx: SqlTransaction, given: readonly Fact[]): Promise<number> {
  if (given.length === 0) return 0;
  // In one order: two processes with the same events would else wait for each other.
  const facts = [...new Map(given.map((fact) => [fact.id, fact])).values()].sort(byKey);
  const apps = appRepository(tx);
  const appIds = [...new Set(facts.map(({ appId }) => appId))];
  apps.share(appIds);
  const [zoneOf, salts, ends] = await Promise.all([
    apps.zones(appIds),
    visitorRepository(tx).salts(possibleDays(facts)),
    endsOf(tx, appIds),
  ]);
  const localOf = ({ appId, at }: Pick<Fact, 'appId' | 'at'>) => zoneOf(appId).at(at.getTime());

  await addMissingSalts(tx, facts, salts, localOf);
  const stored = facts.map((fact): StoredFact => ({ ...fact, visitor: visitorOf(fact, salts, localOf) }));
  const added = await addFacts(tx, stored);
  const fresh = stored.filter(({ id }) => added.has(id));
  if (fresh.length === 0) return 0;

  const tally = createTally();
  const visits: Visit[] = [];
  for (const fact of fresh) {
    const local = localOf(fact);
    for (const metric of metricsOf(fact)) tally.add(metric, fact as unknown as Counted, local);
    const { appId, visitor } = fact;
    if (visitor !== null) visits.push({ appId, day: local.day, visitor });
  }
  const [days] = await Promise.all([
    visitorRepository(tx).add(visits),
    countAttributed(tx, fresh.filter(concernsInstall), tally, zoneOf),
  ]);
  for (const { appId, day, visitors } of days) tally.addToDay(appId, 'visitors', day, visitors);
  const counts = countRepository(tx);
  const others = await counts.addDays(tally.dayCounts());
  const linkCounts = tally.linkCounts();
  counts.addLinks(linkCounts);
  linkTotalRepository(tx).add(totalsOf(linkCounts, fresh, ends));
  counts.addHours(tally.hourCounts());
  return others;
}

/** The order of the key of the table. */
const byKey = (a: Fact, b: Fact): number => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1);

type LocalOf = (fact: Pick<Fact, 'appId' | 'at'>) => { day: string };

/** The days of the calendar that clicks may belong to, whatever the zone of their app. */
function possibleDays(facts: readonly Fact[]): string[] {
  const utc = new Set(facts.filter(isClick).map(({ at }) => at.toISOString().slice(0, 10)));
  return [...new Set([...utc].flatMap((day) => [addDays(day, -1), day, addDays(day, 1)]))];
}

const isClick = ({ visitorKey }: Fact): boolean => visitorKey !== null;

async function addMissingSalts(
  tx: SqlTransaction,
  facts: readonly Fact[],
  salts: Map<string, string>,
  localOf: LocalOf,
) {
  const days = new Set(facts.filter(isClick).map((fact) => localOf(fact).day));
  const missing = [...days].filter((day) => !salts.has(day)).sort();
  if (missing.length === 0) return;
  const repository = visitorRepository(tx);
  repository.makeSalts(missing, new Date());
  for (const [day, salt] of await repository.salts(missing)) salts.set(day, salt);
}

/**
 * One number for a visitor on one day. Once the salt of the day is deleted, it cannot be traced back, and says nothing about
 * other days. All parts of the hashed text have a fixed length, so that no two visitors share one.
 */
function visitorOf(fact: Fact, salts: ReadonlyMap<string, string>, localOf: LocalOf): bigint | null {
  if (fact.visitorKey === null) return null;
  const salt = salts.get(localOf(fact).day)!;
  return hash('sha256', `${salt}${fact.appId}${fact.visitorKey}`, 'buffer').readBigInt64BE();
}

/** Counts installs by the link that led to them. A late event may change what an install is attributed to. */
async function countAttributed(
  tx: SqlTransaction,
  facts: readonly Fact[],
  tally: Tally,
  zoneOf: (appId: string) => Zone,
): Promise<void> {
  if (facts.length === 0) return;
  const installs = installRepository(tx);
  const byDevice = Map.groupBy(facts, ({ appId, device }) => installKey({ appId, device: device! }));
  const given = [...byDevice.values()].map((facts) => facts.reduce(withFact, unknownInstall(facts[0]!)));
  const changed: Install[] = [];
  for (const [key, install] of await installs.addOrLock(given)) {
    if (install.isNew) {
      count(install, 1);
      continue;
    }
    const after = byDevice.get(key)!.reduce<Install>(withFact, install);
    count(install, -1);
    count(after, 1);
    changed.push(after);
  }
  installs.save(changed);

  function count(install: Install, n: number) {
    const restore = attributionOf(install);
    if (restore === null) return;
    const { appId, country, platform, appVersion, installedAt } = install;
    const { linkId, matchType } = restore;
    const facts: Counted = { appId, linkId, matchType, country, platform, appVersion, labels: null, valuesOfLink: [] };
    tally.add('attributedInstalls', facts, zoneOf(appId).at(installedAt!.getTime()), n);
  }
}
