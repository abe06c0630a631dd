// Stores devices in PostgreSQL, many at a time.
import type { Platform } from '@landfall/contracts';
import { columnsOf, type SqlTransaction } from '@landfall/db';
import { toBytes, toText } from '../bytes.ts';
import type { Device } from '../domain/device.ts';

export interface DeviceKey {
  readonly appId: string;
  readonly device: string;
}

/** Devices as they are stored, by {@link deviceKey}, and the keys of devices that were never seen before. */
export interface Locked {
  readonly stored: Map<string, Device>;
  readonly fresh: ReadonlySet<string>;
}

export const deviceKey = ({ appId, device }: DeviceKey): string => `${appId} ${device}`;

export function deviceRepository(tx: SqlTransaction) {
  return {
    /**
     * Locks these devices until the transaction ends, and returns them as they are stored. All transactions lock them in
     * the same order. A device that was never seen is stored as it is given.
     */
    async lock(unseen: readonly Device[]): Promise<Locked> {
      if (unseen.length === 0) return { stored: new Map(), fresh: new Set() };
      const devices = [...new Map(unseen.toReversed().map((device) => [deviceKey(device), device])).values()];
      // The update changes nothing. It locks an existing row and returns it. Only an existing row has an xmax.
      const rows = await tx.rows<DeviceRow & { is_fresh: boolean }>(lockDevices, columns.valuesOf(devices));
      const stored = new Map<string, Device>();
      const fresh = new Set<string>();
      for (const row of rows) {
        const device = toDevice(row);
        const key = deviceKey(device);
        stored.set(key, device);
        if (row.is_fresh) fresh.add(key);
      }
      return { stored, fresh };
    },

    /** Returns devices as they are stored, without a lock. */
    async find(keys: readonly DeviceKey[]): Promise<Map<string, Device>> {
      if (keys.length === 0) return new Map();
      const rows = await tx.rows<DeviceRow>(
        `select d.* from attribution.devices d
         join unnest($1::uuid[], $2::bytea[]) as k(app_id, device) on d.app_id = k.app_id and d.device = k.device`,
        [keys.map((key) => key.appId), keys.map((key) => toBytes(key.device))],
      );
      return new Map(rows.map(toDevice).map((device) => [deviceKey(device), device]));
    },

    /** Saves devices that are locked. */
    save(devices: readonly Device[]): void {
      if (devices.length === 0) return;
      tx.send(saveDevices, columns.valuesOf(devices));
    },
  };
}

const columns = columnsOf<Device>({
  app_id: ['uuid', (d) => d.appId],
  device: ['bytea', (d) => toBytes(d.device)],
  first_seen: ['timestamptz', (d) => d.firstSeen],
  new_since: ['timestamptz', (d) => d.newSince],
  last_seen: ['timestamptz', (d) => d.lastSeen],
  first_heartbeat_id: ['uuid', (d) => d.firstHeartbeatId],
  last_heartbeat_id: ['uuid', (d) => d.lastHeartbeatId],
  last_heartbeat_at: ['timestamptz', (d) => d.lastHeartbeatAt],
  last_heartbeat_from: ['bytea', (d) => toBytes(d.lastHeartbeatFrom)],
  shared_at: ['timestamptz', (d) => d.sharedAt],
  platform: ['text', (d) => d.platform],
  installed_at: ['timestamptz', (d) => d.installedAt],
  active_heartbeat_id: ['uuid', (d) => d.activeHeartbeatId],
  returned_at: ['timestamptz', (d) => d.returnedAt],
  away_days: ['int', (d) => d.awayDays],
});

const lockDevices = `
  insert into attribution.devices as d (${columns.names})
  select ${columns.names} from ${columns.unnest('n')} order by app_id, device
  on conflict (app_id, device) do update set last_seen = d.last_seen
  returning d.*, d.xmax = 0 as is_fresh`;

const saveDevices = `
  update attribution.devices d set
    first_seen = n.first_seen, new_since = n.new_since, last_seen = n.last_seen,
    first_heartbeat_id = n.first_heartbeat_id, installed_at = n.installed_at,
    active_heartbeat_id = n.active_heartbeat_id, last_heartbeat_id = n.last_heartbeat_id,
    last_heartbeat_at = n.last_heartbeat_at, last_heartbeat_from = n.last_heartbeat_from, shared_at = n.shared_at,
    platform = n.platform, returned_at = n.returned_at, away_days = n.away_days
  from ${columns.unnest('n')}
  where d.app_id = n.app_id and d.device = n.device`;

interface DeviceRow {
  app_id: string;
  device: Buffer;
  first_seen: Date;
  new_since: Date;
  last_seen: Date;
  first_heartbeat_id: string | null;
  installed_at: Date | null;
  active_heartbeat_id: string | null;
  last_heartbeat_id: string | null;
  last_heartbeat_at: Date | null;
  last_heartbeat_from: Buffer | null;
  shared_at: Date | null;
  platform: Platform | null;
  returned_at: Date | null;
  away_days: number | null;
}

const toDevice = (row: DeviceRow): Device => ({
  appId: row.app_id,
  device: toText(row.device)!,
  firstSeen: row.first_seen,
  newSince: row.new_since,
  lastSeen: row.last_seen,
  firstHeartbeatId: row.first_heartbeat_id,
  installedAt: row.installed_at,
  activeHeartbeatId: row.active_heartbeat_id,
  lastHeartbeatId: row.last_heartbeat_id,
  lastHeartbeatAt: row.last_heartbeat_at,
  lastHeartbeatFrom: toText(row.last_heartbeat_from),
  sharedAt: row.shared_at,
  platform: row.platform,
  returnedAt: row.returned_at,
  awayDays: row.away_days,
});
