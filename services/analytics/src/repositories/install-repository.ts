import { columnsOf, type SqlTransaction } from '@landfall/db';
import { attributionOf, type Install, type Restore } from '../domain/install.ts';

export const installKey = ({ appId, device }: Pick<Install, 'appId' | 'device'>): string => `${appId} ${device}`;

export function installRepository(tx: SqlTransaction) {
  return {
    /** Locks and returns installs as they are stored. All transactions lock in the same order. New ones are stored. */
    async lock(unseen: readonly Install[]): Promise<Map<string, Install>> {
      const installs = [...new Map(unseen.map((install) => [installKey(install), install])).values()];
      // The update changes nothing. It locks an existing row and returns it.
      const rows = await tx.rows<Install>(
        `insert into analytics.installs as i (app_id, device, latest_at)
         select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as n(app_id, device, latest_at) order by 1, 2
         on conflict (app_id, device) do update set latest_at = i.latest_at
         returning app_id as "appId", device, install_id as "installId", installed_at as "installedAt", country, platform,
           app_version as "appVersion", restores, latest_at as "latestAt"`,
        [installs.map((i) => i.appId), installs.map((i) => i.device), installs.map((i) => i.latestAt)],
      );
      return new Map(rows.map((install) => [installKey(install), install]));
    },

    /** Saves installs that are locked, with the restore that each is attributed to. */
    save(installs: readonly Install[]): void {
      const attributed = installs.map((install) => ({ install, restore: attributionOf(install) }));
      tx.send(saveInstalls, columns.valuesOf(attributed));
    },
  };
}

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

const saveInstalls = `
  insert into analytics.installs (${columns.names}) select * from ${columns.unnest('n')}
  on conflict (app_id, device) do update set ${columns.toGiven}`;
