// Every change of an app writes its difference to the audit log, and sends the event that clears caches.
import { type EventToTell, told } from '@landfall/bus';
import { type App, AppChanged } from '@landfall/contracts';
import type { Change, Changing } from '../changes/change.ts';

export async function changedApp(at: Changing, before: App, app: App): Promise<Change<App>> {
  const { id, teamId } = app;
  return { subject: id, teamId, appId: id, ...difference(before, app), done: app, events: [await appChanged(at, app)] };
}

/** @param former hosts that lead to the app no longer */
export async function appChanged(
  { tx, account }: Changing,
  { id: appId, version, timeZone }: Pick<App, 'id' | 'version' | 'timeZone'>,
  ...former: string[]
): Promise<EventToTell> {
  const hosts = [...new Set([...(await account.apps.hostsOf(tx, appId)), ...former])];
  return told(AppChanged, { appId, version, hosts, timeZone });
}

/** Returns the old and new values of the changed fields. The version is left out, because every edit increases it. */
function difference(was: object, is: object): { before: object; after: object } {
  const fields = Object.entries(is).filter(
    ([name, value]) => name !== 'version' && JSON.stringify(value) !== JSON.stringify(was[name as keyof typeof was]),
  );
  return {
    before: Object.fromEntries(fields.map(([name]) => [name, was[name as keyof typeof was] ?? null])),
    after: Object.fromEntries(fields),
  };
}
