// Stores devices, and which devices and browsers were seen at which address, in PostgreSQL, many at a time.
import type { Platform } from '@landfall/contracts';
import type { Sql, SqlTransaction } from '@landfall/db';
import { toBytes, toText } from '../bytes.ts';
import type { Device } from '../domain/device.ts';
import { earlier, later } from '../domain/time.ts';

export interface DeviceKey {
  readonly appId: string;
  readonly device: string;
}

/** A device or a browser at an address. */
export interface Contact extends DeviceKey {
  readonly address: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  readonly lastHeartbeatAt: Date | null;
}

/** Devices as they are stored, by {@link deviceKey}, and the keys of devices that were never seen before. */
export interface Locked {
  readonly stored: Map<string, Device>;
  readonly fresh: ReadonlySet<string>;
}

export const deviceKey = ({ appId, device }: DeviceKey): string => `${appId} ${device}`;

export const contactKey = ({ appId, address, device }: Pick<Contact, 'appId' | 'address' | 'device'>): string =>
  `${appId} ${address} ${device}`;

/**
 * Locks these devices until the transaction ends, and returns them as they are stored. All transactions lock them in
 * the same order. A device that was never seen is stored as it is given.
 */
export async function lockDevices(tx: Sql, unseen: readonly Device[]): Promise<Locked> {
  if (unseen.length === 0) return { stored: new Map(), fresh: new Set() };
  const devices = [...new Map(unseen.toReversed().map((device) => [deviceKey(device), device])).values()];
  // The update changes nothing. It locks an existing row and returns it. Only an existing row has an xmax.
  const rows = await tx.rows<DeviceRow & { is_fresh: boolean }>(
    `insert into attribution.devices as d (${COLUMNS})
     select ${COLUMNS} from ${unnested} as n(${COLUMNS}) order by app_id, device
     on conflict (app_id, device) do update set last_seen = d.last_seen
     returning d.*, d.xmax = 0 as is_fresh`,
    valuesOf(devices),
  );
  return {
    stored: new Map(rows.map(toDevice).map((device) => [deviceKey(device), device])),
    fresh: new Set(rows.filter((row) => row.is_fresh).map((row) => deviceKey(toDevice(row)))),
  };
}

/** Returns devices as they are stored, without a lock. */
export async function findDevices(tx: Sql, keys: readonly DeviceKey[]): Promise<Map<string, Device>> {
  if (keys.length === 0) return new Map();
  const rows = await tx.rows<DeviceRow>(
    `select d.* from attribution.devices d
     join unnest($1::uuid[], $2::bytea[]) as k(app_id, device) on d.app_id = k.app_id and d.device = k.device`,
    [keys.map((key) => key.appId), keys.map((key) => toBytes(key.device))],
  );
  return new Map(rows.map(toDevice).map((device) => [deviceKey(device), device]));
}

/** Saves devices that are locked. */
export function saveDevices(tx: SqlTransaction, devices: readonly Device[]): void {
  if (devices.length === 0) return;
  tx.send(
    `update attribution.devices d set
       first_seen = n.first_seen, new_since = n.new_since, last_seen = n.last_seen,
       first_heartbeat_id = n.first_heartbeat_id, last_heartbeat_id = n.last_heartbeat_id,
       last_heartbeat_at = n.last_heartbeat_at, last_heartbeat_from = n.last_heartbeat_from, shared_at = n.shared_at,
       platform = n.platform
     from ${unnested} as n(${COLUMNS})
     where d.app_id = n.app_id and d.device = n.device`,
    valuesOf(devices),
  );
}

const COLUMNS = `app_id, device, first_seen, new_since, last_seen,
  first_heartbeat_id, last_heartbeat_id, last_heartbeat_at, last_heartbeat_from, shared_at, platform`;

const unnested = `unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[],
  $6::uuid[], $7::uuid[], $8::timestamptz[], $9::bytea[], $10::timestamptz[], $11::text[])`;

const valuesOf = (devices: readonly Device[]) => [
  devices.map((d) => d.appId),
  devices.map((d) => toBytes(d.device)),
  devices.map((d) => d.firstSeen),
  devices.map((d) => d.newSince),
  devices.map((d) => d.lastSeen),
  devices.map((d) => d.firstHeartbeatId),
  devices.map((d) => d.lastHeartbeatId),
  devices.map((d) => d.lastHeartbeatAt),
  devices.map((d) => toBytes(d.lastHeartbeatFrom)),
  devices.map((d) => d.sharedAt),
  devices.map((d) => d.platform),
];

/**
 * Adds sightings of devices and browsers at addresses. The order does not matter, and a sighting may be added any
 * number of times.
 */
export function sendContacts(tx: SqlTransaction, met: readonly Contact[]): void {
  if (met.length > 0) tx.send(upsertContacts, contactValues(met));
}

/** Adds sightings in the same way, and returns the contacts as they are stored now. */
export async function recordContacts(tx: Sql, met: readonly Contact[]): Promise<Map<string, Contact>> {
  if (met.length === 0) return new Map();
  const rows = await tx.rows<ContactRow>(`${upsertContacts} returning *`, contactValues(met));
  return new Map(rows.map(toContact).map((contact) => [contactKey(contact), contact]));
}

const upsertContacts = `
  insert into attribution.contacts as c (app_id, address, device, first_at, last_at, last_heartbeat_at)
  select * from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::timestamptz[], $5::timestamptz[], $6::timestamptz[])
  order by 1, 2, 3
  on conflict (app_id, address, device) do update set
    first_at = least(c.first_at, excluded.first_at),
    last_at = greatest(c.last_at, excluded.last_at),
    last_heartbeat_at = greatest(c.last_heartbeat_at, excluded.last_heartbeat_at)`;

function contactValues(met: readonly Contact[]) {
  const contacts = [...Map.groupBy(met, contactKey).values()].map((same) => same.reduce(merged));
  return [
    contacts.map((c) => c.appId),
    contacts.map((c) => toBytes(c.address)),
    contacts.map((c) => toBytes(c.device)),
    contacts.map((c) => c.firstAt),
    contacts.map((c) => c.lastAt),
    contacts.map((c) => c.lastHeartbeatAt),
  ];
}

/** The most people that are counted at an address. */
const MOST_PEOPLE = 64;

/**
 * Returns how many others were seen at the address in the 24 hours before, for each entry of `at`, in the same order.
 */
export async function countOtherContacts(
  tx: Sql,
  at: readonly (DeviceKey & { address: string; now: Date })[],
): Promise<number[]> {
  if (at.length === 0) return [];
  const rows = await tx.rows<{ others: number }>(
    `select (
       select count(*)::int from (
         select 1 from attribution.contacts c
         where c.app_id = a.app_id and c.address = a.address and c.device <> a.device
           and c.last_at > a.now - interval '24 hours' and c.first_at <= a.now
         limit ${MOST_PEOPLE}
       ) there
     ) as others
     from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::timestamptz[]) with ordinality as a(app_id, address, device, now, n)
     order by a.n`,
    [at.map((a) => a.appId), at.map((a) => toBytes(a.address)), at.map((a) => toBytes(a.device)), at.map((a) => a.now)],
  );
  return rows.map((row) => row.others);
}

const merged = (a: Contact, b: Contact): Contact => ({
  ...a,
  firstAt: earlier(a.firstAt, b.firstAt),
  lastAt: later(a.lastAt, b.lastAt),
  lastHeartbeatAt: b.lastHeartbeatAt ? later(a.lastHeartbeatAt, b.lastHeartbeatAt) : a.lastHeartbeatAt,
});

interface DeviceRow {
  app_id: string;
  device: Buffer;
  first_seen: Date;
  new_since: Date;
  last_seen: Date;
  first_heartbeat_id: string | null;
  last_heartbeat_id: string | null;
  last_heartbeat_at: Date | null;
  last_heartbeat_from: Buffer | null;
  shared_at: Date | null;
  platform: Platform | null;
}

const toDevice = (row: DeviceRow): Device => ({
  appId: row.app_id,
  device: toText(row.device)!,
  firstSeen: row.first_seen,
  newSince: row.new_since,
  lastSeen: row.last_seen,
  firstHeartbeatId: row.first_heartbeat_id,
  lastHeartbeatId: row.last_heartbeat_id,
  lastHeartbeatAt: row.last_heartbeat_at,
  lastHeartbeatFrom: toText(row.last_heartbeat_from),
  sharedAt: row.shared_at,
  platform: row.platform,
});

interface ContactRow {
  app_id: string;
  address: Buffer;
  device: Buffer;
  first_at: Date;
  last_at: Date;
  last_heartbeat_at: Date | null;
}

const toContact = (row: ContactRow): Contact => ({
  appId: row.app_id,
  address: toText(row.address)!,
  device: toText(row.device)!,
  firstAt: row.first_at,
  lastAt: row.last_at,
  lastHeartbeatAt: row.last_heartbeat_at,
});
