// Makes the reports that are due. Any number of consoles do it: the id of each message follows from the report, its first
// day and the channel, so that a report that is made twice is sent once.
import { uuid5 } from '@landfall/bus';
import type { Logger } from '@landfall/runtime';
import { countingLagMs } from '../analytics/counting-lag.ts';
import type { Message } from '../channels/message.ts';
import type { NewMessage } from '../channels/message-repository.ts';
import type { ConsoleParts } from '../parts.ts';
import { type ComposeParts, composeReport } from './compose.ts';
import type { ReportView, TakenReport } from './report-repository.ts';
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
  let messages: NewMessage[] = [];
  // Its time may be before the one of the row when the zone of the app has just changed.
  if (lateMs < LATEST_MS && due.at >= report.nextAt && report.channelIds.length > 0) {
    const behind = await isBehind(parts);
    if (behind && lateMs < WAIT_MS) return account.reports.putOff(report, new Date(at.getTime() + AGAIN_MS));
    const days = periodOf(report, due.day);
    const message = await composeReport(report, app, days, behind, parts);
    messages = await messagesOf(report, app.id, message, { of: days.from, at }, parts);
  }
  await telling({ id: report.id, now: at }, async (tx) => {
    await account.messages.add(tx, messages);
    await account.reports.made(tx, report, nextDue(report, app.timeZone, at).at, at);
    return { done: undefined };
  });
}

/** True when some events are not counted yet. */
export const isBehind = async (parts: Pick<ConsoleParts, 'groups' | 'now'>): Promise<boolean> =>
  (await countingLagMs(parts)) > LAG_MS;

/**
 * Returns the messages of a report, one for each of its channels.
 * @param of what the report is made for. The ids follow from it.
 */
export async function messagesOf(
  { id: reportId, channelIds }: Pick<ReportView, 'id' | 'channelIds'>,
  appId: string,
  message: Message,
  { of, at }: { of: string; at: Date },
  { account }: Pick<ConsoleParts, 'account'>,
): Promise<NewMessage[]> {
  const kinds = new Map((await account.channels.list(appId)).map(({ id, kind }) => [id, kind]));
  return channelIds.flatMap((channelId) => {
    const via = kinds.get(channelId);
    if (via === undefined) return [];
    const id = uuid5(reportId, `${of} ${channelId}`);
    return [{ id, kind: 'report', sourceId: reportId, appId, channelId, via, message, createdAt: at }];
  });
}
