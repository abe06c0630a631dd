import { type Sql, type SqlTransaction, tableOf, toText } from '@landfall/db';
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
    ...deviceReader(tx),

    /** All transactions lock devices in the same order. A device that was never seen is stored as it is given. */
    async lock(unseen: readonly Device[]): Promise<Locked> {
      if (unseen.length === 0) return { stored: new Map(), fresh: new Set() };
      const first = new Map(unseen.toReversed().map((device) => [deviceKey(device), device]));
      // The update changes nothing. It locks an existing row and returns it. Only an existing row has an xmax.
      const rows = await tx.rows<{ is_fresh: boolean }>(lockDevices, devices.valuesOf([...first.values()]));
      const fresh = rows.filter((row) => row.is_fresh);
      return { stored: byKey(rows), fresh: new Set(byKey(fresh).keys()) };
    },

    /** Saves devices that are locked. */
    save(changed: readonly Device[]): void {
      if (changed.length === 0) return;
      tx.send(saveDevices, devices.valuesOf(changed));
    },
  };
}

/** The read that needs no transaction. */
export function deviceReader(sql: Sql) {
  return {
    /** Returns devices as they are stored, without a lock. */
    async find(keys: readonly DeviceKey[]): Promise<Map<string, Device>> {
      if (keys.length === 0) return new Map();
      const rows = await sql.rows(
        `select d.* from attribution.devices d join ${deviceKeys.unnest('k')} using (app_id, device)`,
        deviceKeys.valuesOf(keys),
      );
      return byKey(rows);
    },
  };
}

/** Returns the devices whose hash begins with these bytes, written as UUIDs. */
export async function namedByHalf(sql: Sql, appId: string, halves: readonly string[]) {
  const rows = await sql.rows<{ half: string; device: Buffer }>(
    `select h.half, d.device from unnest($2::uuid[]) h(half) cross join lateral (
       select device from attribution.devices
       where app_id = $1 and device >= uuid_send(h.half) and device <= uuid_send(h.half) || decode(repeat('ff', 17), 'hex')
       order by device limit 1
     ) d`,
    [appId, halves],
  );
  return rows.map(({ half, device }) => ({ half, device: toText(device)! }));
}

const deviceKeys = tableOf<DeviceKey>({ appId: 'uuid', device: 'hash' });

const devices = tableOf<Device>({
  appId: 'uuid',
  device: 'hash',
  firstSeen: 'timestamptz',
  newSince: 'timestamptz',
  lastSeen: 'timestamptz',
  firstHeartbeatId: 'uuid',
  installedAt: 'timestamptz',
  activeHeartbeatId: 'uuid',
  lastHeartbeatId: 'uuid',
  lastHeartbeatAt: 'timestamptz',
  lastHeartbeatFrom: 'hash',
  sharedAt: 'timestamptz',
  platform: 'text',
  returnedAt: 'timestamptz',
  awayDays: 'int',
  lastRestoreId: 'uuid',
  lastRestoreAt: 'timestamptz',
});

const byKey = (rows: readonly object[]): Map<string, Device> =>
  new Map(rows.map(devices.of).map((device) => [deviceKey(device), device]));

const lockDevices = `
  insert into attribution.devices as d (${devices.names})
  select ${devices.names} from ${devices.unnest('n')} order by app_id, device
  on conflict (app_id, device) do update set last_seen = d.last_seen
  returning d.*, d.xmax = 0 as is_fresh`;

const saveDevices = `
  insert into attribution.devices (${devices.names}) select * from ${devices.unnest('n')}
  on conflict (app_id, device) do update set ${devices.toGiven}`;
