// The rows of made-up taps, devices and restores in attribution, for the last days: there a figure leads to its rows. The
// handlers of real ones decide about them, each at its own time.
import type { MadeUpPast, MadeUpRows } from '@landfall/attribution';
import type { Outcome } from '@landfall/bus';
import {
  type DataOf,
  DeviceActive,
  DeviceInstalled,
  type EventDef,
  LinkClicked,
  LinkOpened,
  LinksRestored,
  MatchingSettings,
  RecordHeartbeat,
  RestoreLinks,
} from '@landfall/contracts';
import type { DemoEvent } from '@landfall/demo-data';
import { messageOf } from './demo-messages.ts';

/** Attribution keeps taps and restores for so long. */
const DAYS = 30;
const DAY_MS = 86_400_000;

/** Nobody had a made-up app before. A made-up return does not know when the last one was, so two may be close together. */
const MATCHING = MatchingSettings.parse({ existingUsers: false, sharedFingerprintMinutes: 1 });

/**
 * Returns a function that stores the rows of events, oldest first, and returns the events with what was decided: a restore
 * that gave nothing has no event.
 * @param until the end of the made-up events
 */
export function decider(past: MadeUpPast, until: Date) {
  const begin = until.getTime() - DAYS * DAY_MS;
  /** The decisions about restores of earlier events. Null: they gave nothing. */
  const decided = new Map<string, DataOf<typeof LinksRestored> | null>();

  return async (events: readonly DemoEvent[]): Promise<DemoEvent[]> => {
    // An install may follow its tap on the next day.
    await handle(past.rememberTap, of(LinkClicked, events, begin - DAY_MS).map(messageOf));
    const started = of(DeviceInstalled, events, begin).filter(({ start }) => start !== undefined);
    await handle(past.recordHeartbeat, started.map(toHeartbeat));
    const outcomes = await handle(past.restoreLinks, started.map(toRestore));
    for (const [n, { start }] of started.entries()) decided.set(start!.id, givenBy(outcomes![n]!));
    const returned = of(DeviceActive, events, begin).filter(({ data }) => Date.parse(data.installedAt) >= begin);
    await handle(past.recordHeartbeat, returned.map(toHeartbeat));
    return events.flatMap((event) => [...withDecision(event), ...unplanned(event)]);
  };

  function withDecision(event: DemoEvent): DemoEvent[] {
    const data = event.event === LinksRestored ? decided.get(String(event.data.restoreId)) : undefined;
    if (data === undefined) return [event];
    return data === null ? [] : [{ ...event, data }];
  }

  /** The event of a restore that found a tap of somebody else. */
  function unplanned({ start }: DemoEvent): DemoEvent[] {
    if (start === undefined || start.finds) return [];
    const data = decided.get(start.id);
    return data ? [{ event: LinksRestored, id: start.id, now: start.at, data }] : [];
  }
}

function givenBy(outcome: Outcome<typeof RestoreLinks>): DataOf<typeof LinksRestored> | null {
  const [told] = 'reply' in outcome ? (outcome.events ?? []) : [];
  return told === undefined ? null : (told.data as DataOf<typeof LinksRestored>);
}

type Of<E extends EventDef> = DemoEvent & { data: DataOf<E> };

const of = <E extends EventDef>(event: E, events: readonly DemoEvent[], since: number): Of<E>[] =>
  events.filter((one) => one.event === event && one.now.getTime() >= since) as Of<E>[];

/** No handler is called with an empty batch. */
const handle = <M, R>(handler: (batch: M[]) => Promise<R>, batch: M[]): Promise<R> | undefined =>
  batch.length === 0 ? undefined : handler(batch);

function toHeartbeat({ id, now, data, start }: Of<typeof DeviceInstalled | typeof DeviceActive>) {
  const { device: fingerprint, ...told } = data;
  const { address = null, userAgent = null, model = null, osMajor = null, language = null } = start?.asks ?? {};
  const from = { address, userAgent, model, osMajor, language };
  return messageOf({
    id,
    now,
    data: RecordHeartbeat.input.parse({ ...told, fingerprint, ...from, matching: MATCHING }),
  });
}

function toRestore({ data: { device: fingerprint, ...told }, start }: Of<typeof DeviceInstalled>) {
  const { id, at: now, asks } = start!;
  const data = { ...told, ...asks, fingerprint, email: null, matching: MATCHING, final: true };
  return messageOf({ id, now, data: RestoreLinks.input.parse(data) });
}

/** Returns the ids of all rows that events may have, also over Kafka. */
export function rowsOf(events: readonly DemoEvent[]): MadeUpRows {
  const installs = of(DeviceInstalled, events, 0);
  const starts = installs.flatMap(({ start }) => start ?? []);
  const seen = [...of(LinkClicked, events, 0), ...of(LinkOpened, events, 0)].map(({ data }) => data.address);
  const addresses = [...seen, ...starts.map(({ asks }) => asks.address)];
  return {
    taps: of(LinkClicked, events, 0).map(({ id }) => id),
    restores: starts.map(({ id }) => id),
    devices: installs.map(({ data }) => data.device),
    addresses: [...new Set(addresses.filter((address) => address !== null))],
  };
}
