// What every change of an app says: its difference in the audit log, and the event that clears the app from caches.
import { type EventToTell, told } from '@landfall/bus';
import { type App, AppChanged } from '@landfall/contracts';
import type { PrismaTransaction } from '@landfall/db';
import type { AccountRepository } from '../account-repository.ts';
import type { Change } from '../changes/change.ts';
import { stateOf } from '../common/app-changed.ts';

/** Returns the change of an app from one version to the next. */
export async function changedApp(
  account: AccountRepository,
  tx: PrismaTransaction,
  before: App,
  app: App,
): Promise<Change<App>> {
  const { id, teamId } = app;
  const events = [await appChanged(account, tx, app)];
  return { subject: id, teamId, appId: id, ...difference(before, app), done: app, events };
}

export const appChanged = async (account: AccountRepository, tx: PrismaTransaction, app: App): Promise<EventToTell> =>
  told(AppChanged, stateOf(app, await account.apps.hostsOf(tx, app.id)));

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
