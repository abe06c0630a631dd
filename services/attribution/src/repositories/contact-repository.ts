// Stores which devices and browsers were seen at which address in PostgreSQL, many at a time.
import type { Platform } from '@landfall/contracts';
import { type SqlTransaction, tableOf } from '@landfall/db';
import type { Others } from '../domain/candidate.ts';
import { CROWD_MINUTES } from '../domain/rules/one-install.ts';
import { earlier, later } from '../domain/time.ts';
import type { DeviceKey } from './device-repository.ts';

/** A device or a browser at an address. */
export interface Contact extends DeviceKey {
  readonly address: string;
  readonly firstAt: Date;
  /** As it is stored, it may be up to a minute too early. */
  readonly lastAt: Date;
  readonly lastHeartbeatAt: Date | null;
  /** The known facts of its phone. Null: nothing yet. */
  readonly platform: Platform | null;
  readonly model: string | null;
}

/** The most people that are counted at an address. */
export const MOST_PEOPLE = 64;
/** The most people among whom newcomers are counted, those who were there last. */
const MOST_COMPARED = 512;
const NEWCOMER_DAYS = 7;

export const seenOnce = (at: Date) => ({ firstAt: at, lastAt: at, lastHeartbeatAt: null });

/** Returns the contacts of a device that called: one for each of its addresses. */
export const contactsOf = (
  {
    address,
    ipv6,
    ...device
  }: DeviceKey & Pick<Contact, 'platform' | 'model'> & Record<'address' | 'ipv6', string | null>,
  times: Pick<Contact, 'firstAt' | 'lastAt' | 'lastHeartbeatAt'>,
): Contact[] =>
  [...new Set([address, ipv6])].flatMap((at) => (at === null ? [] : [{ ...device, address: at, ...times }]));

export const contactKey = ({ appId, address, device }: Pick<Contact, 'appId' | 'address' | 'device'>): string =>
  `${appId} ${address} ${device}`;

export function contactRepository(tx: SqlTransaction) {
  return {
    /** Adds sightings, in any order and any number of times. */
    add(met: readonly Contact[]): void {
      if (met.length > 0) tx.send(upsertContacts, contacts.valuesOf(distinct(met)));
    },

    /** Adds sightings in the same way, and returns the times of the contacts as they are stored now. */
    async record(met: readonly Contact[]): Promise<Map<string, Met>> {
      if (met.length === 0) return new Map();
      const rows = await tx.rows(recordContacts, contacts.valuesOf(distinct(met)));
      return new Map(rows.map(meetings.of).map((one) => [contactKey(one), one]));
    },

    /** Counts the others at the address for each entry of `at`, in the same order. */
    countOthers(at: readonly Place[]): Promise<Others[]> {
      if (at.length === 0) return Promise.resolve([]);
      return tx.rows<Others>(
        `select
           (select count(*)::int from (
             select 1 from attribution.contacts c
             where ${isOther} and c.last_at > a.now - interval '24 hours'
             limit ${MOST_PEOPLE}
           ) there) as others,
           (select least(count(*), ${MOST_PEOPLE})::int from (
             select c.first_at from attribution.contacts c
             where ${isOther} and c.last_at > a.now - interval '${NEWCOMER_DAYS} days'
             order by c.last_at desc limit ${MOST_COMPARED}
           ) there where there.first_at > a.now - interval '${NEWCOMER_DAYS} days') as newcomers,
           (select count(*)::int from (
             select 1 from attribution.contacts c
             where ${isOther} and c.last_at > a.now - interval '${CROWD_MINUTES} minutes'
               and c.first_at > a.now - interval '${CROWD_MINUTES} minutes'
               and ${FIRST_SEEN} > a.now - interval '${CROWD_MINUTES} minutes'
             limit ${MOST_PEOPLE}
           ) there) as "newDevices"
         from ${places.unnest('a', 'n')}
         order by a.n`,
        places.valuesOf(at),
      );
    },
  };
}

/** Null for a browser. As a join, a wrong estimate could make the planner read all devices. */
const FIRST_SEEN = '(select d.first_seen from attribution.devices d where d.app_id = c.app_id and d.device = c.device)';

const isOther = 'c.app_id = a.app_id and c.address = a.address and c.device <> a.device and c.first_at <= a.now';

interface Place extends DeviceKey {
  readonly address: string;
  readonly now: Date;
}
const places = tableOf<Place>({ appId: 'uuid', address: 'hash', device: 'hash', now: 'timestamptz' });

const contacts = tableOf<Contact>({
  appId: 'uuid',
  address: 'hash',
  device: 'hash',
  firstAt: 'timestamptz',
  lastAt: 'timestamptz',
  lastHeartbeatAt: 'timestamptz',
  platform: 'text',
  model: 'hash',
});

// Several phones may have one user agent. When they differ in their model, it is stored as empty: it contradicts nothing.
// The last time goes on in steps of a minute. It is in an index, which then is not written for each request of one start.
const upsertContacts = `
  insert into attribution.contacts as c (${contacts.names})
  select * from ${contacts.unnest('n')}
  order by 1, 2, 3
  on conflict (app_id, address, device) do update set
    first_at = least(c.first_at, excluded.first_at),
    last_at = case when excluded.last_at < c.last_at + interval '1 minute' then c.last_at else excluded.last_at end,
    last_heartbeat_at = greatest(c.last_heartbeat_at, excluded.last_heartbeat_at),
    platform = coalesce(excluded.platform, c.platform),
    model = case
      when c.model is null then excluded.model
      when excluded.model is null or excluded.model = c.model then c.model
      else ''
    end`;

type Met = Pick<Contact, 'appId' | 'address' | 'device' | 'firstAt' | 'lastHeartbeatAt'>;
const meetings = tableOf<Met>({
  appId: 'uuid',
  address: 'hash',
  device: 'hash',
  firstAt: 'timestamptz',
  lastHeartbeatAt: 'timestamptz',
});
const recordContacts = `${upsertContacts} returning ${meetings.names.replaceAll(/\w+/g, 'c.$&')}`;

/** Returns one contact for each device at an address. */
const distinct = (met: readonly Contact[]): Contact[] =>
  [...Map.groupBy(met, contactKey).values()].map((same) => same.reduce(merged));

const merged = (a: Contact, b: Contact): Contact => ({
  ...a,
  firstAt: earlier(a.firstAt, b.firstAt),
  lastAt: later(a.lastAt, b.lastAt),
  lastHeartbeatAt: b.lastHeartbeatAt ? later(a.lastHeartbeatAt, b.lastHeartbeatAt) : a.lastHeartbeatAt,
  platform: b.platform ?? a.platform,
  model: a.model === null || b.model === null || a.model === b.model ? (a.model ?? b.model) : '',
});
