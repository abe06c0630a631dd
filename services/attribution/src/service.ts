import { type Bus, each, type Log } from '@landfall/bus';
import {
  CheckDevice,
  DescribeRollout,
  FindInstall,
  FindPendingLinks,
  FindTap,
  LinkClicked,
  LinkEdited,
  LinkOpened,
  ListRestores,
  NameDevices,
  RecordHeartbeat,
  ReleaseRestore,
  ReplayDecisions,
  RestoreLinks,
  StorePendingLink,
} from '@landfall/contracts';
import type { Database } from '@landfall/db';
import { checkDevice, findInstall, nameDevices } from './handlers/check-device.ts';
import { describeRollout, listRestores, replayDecisions } from './handlers/explain-decisions.ts';
import { findPendingLinks, findTap } from './handlers/find-pending-links.ts';
import { rememberTap, retireOpenedTap, storePendingLink } from './handlers/keep-links.ts';
import { recordHeartbeat } from './handlers/record-heartbeat.ts';
import { releaseRestore } from './handlers/release-restore.ts';
import { restoreLinks } from './handlers/restore-links.ts';
import { createNewDevices } from './new-devices.ts';
import { linkRepository } from './repositories/link-repository.ts';

/** No install follows its tap sooner. So a tap stored within this time is there before a device can ask for it. */
const TAPS_LATE_MS = 3_000;

export function attributionService({ bus, database, log }: { bus: Bus; database: Database; log: Log }): void {
  const taps = bus.backlog('attribution', LinkClicked, { limitMs: TAPS_LATE_MS });
  const newDevices = createNewDevices();
  const links = linkRepository(database);
  bus.answer(RestoreLinks, restoreLinks(database, log, taps, newDevices));
  bus.answer(RecordHeartbeat, recordHeartbeat(database, newDevices));
  bus.answer(StorePendingLink, storePendingLink(database));
  bus.answer(ReleaseRestore, releaseRestore(database));
  bus.answer(CheckDevice, each(checkDevice(database)));
  bus.answer(FindInstall, each(findInstall(database)));
  bus.answer(FindPendingLinks, each(findPendingLinks(database)));
  bus.answer(FindTap, each(findTap(database)));
  bus.answer(NameDevices, each(nameDevices(database)));
  bus.answer(DescribeRollout, each(describeRollout(database)));
  bus.answer(ListRestores, each(listRestores(database)));
  bus.answer(ReplayDecisions, each(replayDecisions(database)));

  bus.listen('attribution', LinkClicked, rememberTap(database));
  bus.listen('attribution', LinkOpened, retireOpenedTap(database));
  // No device gets a link that is archived or expired, until an edit reverses that.
  bus.listen('attribution', LinkEdited, (batch) => links.keepStates(batch.map(({ data }) => data)));
}
