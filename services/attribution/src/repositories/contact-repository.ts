// Stores which devices and browsers were seen at which address in PostgreSQL, many at a time.
import type { Platform } from '@landfall/contracts';
import { columnsOf, type SqlTransaction } from '@landfall/db';
import { toBytes, toText } from '../bytes.ts';
import type { Others } from '../domain/candidate.ts';
import { CROWD_MINUTES } from '../domain/rules/one-install.ts';
import { earlier, later } from '../domain/time.ts';
import type { DeviceKey } from './device-repository.ts';

/** A device or a browser at an address. */
export interface Contact extends DeviceKey {
  readonly address: string;
  readonly firstAt: Date;
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

export type ContactTimes = Pick<Contact, 'firstAt' | 'lastHeartbeatAt'>;

/** The times of a sighting. */
export const seenOnce = (at: Date) => ({ firstAt: at, lastAt: at, lastHeartbeatAt: null });

/** Returns the contacts of a device that called: one for each of its addresses. */
export const contactsOf = (
  {
    appId,
    device,
    address,
    ipv6,
    platform,
    model,
  }: DeviceKey & {
    readonly address: string | null;
    readonly ipv6: string | null;
    readonly platform: Platform | null;
    readonly model: string | null;
  },
  times: Pick<Contact, 'firstAt' | 'lastAt' | 'lastHeartbeatAt'>,
): Contact[] =>
  [...new Set([address, ipv6])].flatMap((at) =>
    at === null ? [] : [{ appId, device, address: at, platform, model, ...times }],
  );

export const contactKey = ({ appId, address, device }: Pick<Contact, 'appId' | 'address' | 'device'>): string =>
  `${appId} ${address} ${device}`;

export function contactRepository(tx: SqlTransaction) {
  return {
    /**
     * Adds sightings of devices and browsers at addresses. The order does not matter, and a sighting may be added any
     * number of times.
     */
    add(met: readonly Contact[]): void {
      if (met.length > 0) tx.send(upsertContacts, contacts.valuesOf(distinct(met)));
    },

    /** Adds sightings in the same way, and returns the times of the contacts as they are stored now. */
    async record(met: readonly Contact[]): Promise<Map<string, ContactTimes>> {
      if (met.length === 0) return new Map();
      const rows = await tx.rows<ContactRow>(returnContacts, contacts.valuesOf(distinct(met)));
      return new Map(
        rows.map((row) => [keyOf(row), { firstAt: row.first_at, lastHeartbeatAt: row.last_heartbeat_at }]),
      );
    },

    /** Counts the others at the address for each entry of `at`, in the same order. */
    countOthers(at: readonly (DeviceKey & { address: string; now: Date })[]): Promise<Others[]> {
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
         from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::timestamptz[]) with ordinality as a(app_id, address, device, now, n)
         order by a.n`,
        [
          at.map((a) => a.appId),
          at.map((a) => toBytes(a.address)),
          at.map((a) => toBytes(a.device)),
          at.map((a) => a.now),
        ],
      );
    },
  };
}

/**
 * When the device of a contact `c` was seen for the first time. Null for a browser. As a join, a wrong estimate could make
 * the planner read all devices.
 */
const FIRST_SEEN = '(select d.first_seen from attribution.devices d where d.app_id = c.app_id and d.device = c.device)';

const isOther = 'c.app_id = a.app_id and c.address = a.address and c.device <> a.device and c.first_at <= a.now';

const contacts = columnsOf<Contact>({
  app_id: ['uuid', (c) => c.appId],
  address: ['bytea', (c) => toBytes(c.address)],
  device: ['bytea', (c) => toBytes(c.device)],
  first_at: ['timestamptz', (c) => c.firstAt],
  last_at: ['timestamptz', (c) => c.lastAt],
  last_heartbeat_at: ['timestamptz', (c) => c.lastHeartbeatAt],
  platform: ['text', (c) => c.platform],
  model: ['bytea', (c) => toBytes(c.model)],
});

// Several phones may have one user agent. When they differ in their model, it is stored as empty: it contradicts nothing.
const upsertContacts = `
  insert into attribution.contacts as c (${contacts.names})
  select * from ${contacts.unnest('n')}
  order by 1, 2, 3
  on conflict (app_id, address, device) do update set
    first_at = least(c.first_at, excluded.first_at),
    last_at = greatest(c.last_at, excluded.last_at),
    last_heartbeat_at = greatest(c.last_heartbeat_at, excluded.last_heartbeat_at),
    platform = coalesce(excluded.platform, c.platform),
    model = case
      when c.model is null then excluded.model
      when excluded.model is null or excluded.model = c.model then c.model
      else ''
    end`;

const returnContacts = `${upsertContacts} returning app_id, address, device, first_at, last_heartbeat_at`;

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

interface ContactRow {
  app_id: string;
  address: Buffer;
  device: Buffer;
  first_at: Date;
  last_heartbeat_at: Date | null;
}

const keyOf = (row: ContactRow): string =>
  contactKey({ appId: row.app_id, address: toText(row.address)!, device: toText(row.device)! });
