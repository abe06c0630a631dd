// Makes the reports that are due. Any number of consoles do it: the id of each message follows from the report, its first
// day and the channel, so that a report that is made twice is sent once.
import { uuid5 } from '@landfall/bus';
import type { Logger } from '@landfall/runtime';
import { countingLagMs } from '../analytics/counting-lag.ts';
import type { NewMessage } from '../channels/message-repository.ts';
import type { ConsoleParts } from '../parts.ts';
import { type ComposeParts, composeReport } from './compose.ts';
import type { TakenReport } from './report-repository.ts';
import { lastDue, nextDue, periodOf } from './schedule.ts';

export type ReportParts = ComposeParts & Pick<ConsoleParts, 'account' | 'groups' | 'now' | 'telling'> & { log: Logger };

/** A report that is later than this is left out: the next one has newer figures. */
const LATEST_MS = 86_400_000;
/** A report waits until events are counted, for an hour at most. */
const LAG_MS = 60_000;
const WAIT_MS = 3_600_000;
const AGAIN_MS = 30_000;
const AT_ONCE = 4;

/** Makes all reports that are due. */
export async function makeDueReports(parts: ReportParts, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const taken = await parts.account.reports.take(parts.now(), AT_ONCE);
    for (const report of taken)
      await make(report, parts).catch((err: unknown) =>
        parts.log.warn({ err, reportId: report.id }, 'a report was not made: it is tried again'),
      );
    if (taken.length < AT_ONCE || signal?.aborted) return;
  }
}

async function make(report: TakenReport, parts: ReportParts): Promise<void> {
  const { account, lookups, now, telling } = parts;
  const app = await lookups.existingApp(report.appId);
  const at = now();
  const due = lastDue(report, app.timeZone, at);
  const lateMs = at.getTime() - due.at.getTime();
  const messages: NewMessage[] = [];
  // Its time may be before the one of the row when the zone of the app has just changed.
  if (lateMs < LATEST_MS && due.at >= report.nextAt && report.channelIds.length > 0) {
    const behind = (await countingLagMs(parts)) > LAG_MS;
    if (behind && lateMs < WAIT_MS) return account.reports.putOff(report, new Date(at.getTime() + AGAIN_MS));
    const days = periodOf(report, due.day);
    const message = await composeReport(report, app, days, behind, parts);
    const kinds = new Map((await account.channels.list(app.id)).map(({ id, kind }) => [id, kind]));
    for (const channelId of report.channelIds) {
      const via = kinds.get(channelId);
      if (via === undefined) continue;
      const id = uuid5(report.id, `${days.from} ${channelId}`);
      const about = { kind: 'report', sourceId: report.id, appId: app.id } as const;
      messages.push({ id, ...about, channelId, via, message, createdAt: at });
    }
  }
  await telling({ id: report.id, now: at }, async (tx) => {
    await account.messages.add(tx, messages);
    await account.reports.made(tx, report, nextDue(report, app.timeZone, at).at, at);
    return { done: undefined };
  });
}
