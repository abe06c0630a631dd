// Removes the rows of a made-up past.
import { type Sql, toBytes } from '@landfall/db';

/** The rows of a past. Devices and addresses are hashes. Browsers and devices were met at the addresses. */
export interface MadeUpRows {
  readonly taps: readonly string[];
  readonly restores: readonly string[];
  readonly devices: readonly string[];
  readonly addresses: readonly string[];
}

export const madeUpRepository = (sql: Sql) => ({
  /** Rows that are not there are skipped. Over Kafka, the service keeps openings, too. */
  async remove(appId: string, { taps, restores, devices, addresses }: MadeUpRows): Promise<void> {
    const remove = (table: string, where: string, values: unknown[]) =>
      sql.rows(`delete from attribution.${table} where app_id = $1 and ${where}`, [appId, values]);
    await remove('pending_links', 'id = any($2::uuid[])', [...taps]);
    await remove('restores', 'message_id = any($2::uuid[])', [...restores]);
    await remove('devices', 'device = any($2::bytea[])', devices.map(toBytes));
    for (const table of ['contacts', 'openings'])
      await remove(table, 'address = any($2::bytea[])', addresses.map(toBytes));
  },
});
