import { columnsOf, type SqlTransaction } from '@landfall/db';
import { attributionOf, type Install, type Restore } from '../domain/install.ts';

export const installKey = ({ appId, device }: Pick<Install, 'appId' | 'device'>): string => `${appId} ${device}`;

/** An install as it is stored, or as it was just stored. */
export type LockedInstall = Install & { readonly isNew: boolean };

export function installRepository(tx: SqlTransaction) {
  return {
    /**
     * Stores installs of devices that have none. Of the others, locks the stored ones and returns them unchanged. All
     * transactions lock in the same order. Each device is given once.
     */
    async addOrLock(installs: readonly Install[]): Promise<Map<string, LockedInstall>> {
      const rows = await tx.rows<LockedInstall>(addOrLock, columns.valuesOf(installs.map(attributed)));
      return new Map(rows.map((install) => [installKey(install), install]));
    },

    /** Saves installs that are locked. */
    save(installs: readonly Install[]): void {
      if (installs.length > 0) tx.send(saveInstalls, columns.valuesOf(installs.map(attributed)));
    },
  };
}

const attributed = (install: Install) => ({ install, restore: attributionOf(install) });

const columns = columnsOf<{ install: Install; restore: Restore | null }>({
  app_id: ['uuid', ({ install }) => install.appId],
  device: ['uuid', ({ install }) => install.device],
  install_id: ['uuid', ({ install }) => install.installId],
  installed_at: ['timestamptz', ({ install }) => install.installedAt],
  country: ['text', ({ install }) => install.country],
  platform: ['text', ({ install }) => install.platform],
  app_version: ['text', ({ install }) => install.appVersion],
  restores: ['jsonb', ({ install }) => JSON.stringify(install.restores)],
  link_id: ['uuid', ({ restore }) => restore?.linkId ?? null],
  click_id: ['uuid', ({ restore }) => restore?.clickId ?? null],
  clicked_at: ['timestamptz', ({ restore }) => restore?.clickedAt ?? null],
  restored_at: ['timestamptz', ({ restore }) => restore?.at ?? null],
  match_type: ['text', ({ restore }) => restore?.matchType ?? null],
  latest_at: ['timestamptz', ({ install }) => install.latestAt],
});

// The update changes nothing. It locks an existing row and returns it. A row that was inserted has no xmax.
const addOrLock = `
  insert into analytics.installs as i (${columns.names}) select * from ${columns.unnest('n')} order by app_id, device
  on conflict (app_id, device) do update set latest_at = i.latest_at
  returning app_id as "appId", device, install_id as "installId", installed_at as "installedAt", country, platform,
    app_version as "appVersion", restores, latest_at as "latestAt", xmax = 0 as "isNew"`;

const saveInstalls = `
  insert into analytics.installs (${columns.names}) select * from ${columns.unnest('n')}
  on conflict (app_id, device) do update set ${columns.toGiven}`;
