// What the attribution service answers and listens to.
import { type Bus, each, type Log } from '@landfall/bus';
import {
  LinkClicked,
  LinkOpened,
  ListRestores,
  RecordHeartbeat,
  ReleaseRestore,
  RestoreLinks,
  StorePendingLink,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { listRestores } from './handlers/list-restores.ts';
import { recordHeartbeat } from './handlers/record-heartbeat.ts';
import { releaseRestore } from './handlers/release-restore.ts';
import { rememberTap } from './handlers/remember-tap.ts';
import { restoreLinks } from './handlers/restore-links.ts';
import { retireOpenedTap } from './handlers/retire-opened-tap.ts';
import { storePendingLink } from './handlers/store-pending-link.ts';

export function attributionService({ bus, database, log }: { bus: Bus; database: Database; log: Log }): void {
  bus.answer(RestoreLinks, restoreLinks(database, log));
  bus.answer(RecordHeartbeat, recordHeartbeat(database));
  bus.answer(StorePendingLink, storePendingLink(database));
  bus.answer(ReleaseRestore, releaseRestore(database));
  bus.answer(ListRestores, each(listRestores(database)));

  bus.listen('attribution', LinkClicked, rememberTap(database));
  bus.listen('attribution', LinkOpened, retireOpenedTap(database));
}
