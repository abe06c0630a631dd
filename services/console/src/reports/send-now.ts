// Shows a report as of now, and sends it before its time.
import { text } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { Message } from '../channels/message.ts';
import { lockApp } from '../common/rights.ts';
import { found } from '../common/rows.ts';
import type { ConsoleParts } from '../parts.ts';
import { manageRoute } from '../routing/route.ts';
import { composeReport } from './compose.ts';
import { isBehind, messagesOf } from './make-reports.ts';
import type { ReportView } from './report-repository.ts';
import { lastDue, periodOf } from './schedule.ts';

export const previewReport = manageRoute('GET /api/manage/apps/:appId/reports/:reportId/preview', {
  summary: 'Show what a report says: about the days of its last time',
  needs: { role: 'member', of: 'app' },
  limit: 'checks',
  reply: z.object({
    from: text(10).describe('The first day.'),
    to: text(10).describe('The last day.'),
    message: Message.pick({ title: true, lines: true, sections: true, notes: true }),
  }),
  errors: ['REPORT_NOT_FOUND'],
  async handle({ params: { appId, reportId } }, parts) {
    const report = await found(parts.account.reports.find(appId, reportId), 'REPORT_NOT_FOUND');
    const { days, message } = await composedNow(report, appId, parts);
    const { title, lines, sections, notes } = message;
    return { ...days, message: { title, lines, sections, notes } };
  },
});

export const sendReport = manageRoute('POST /api/manage/apps/:appId/reports/:reportId/send', {
  summary: 'Send a report now. Its next time stays, and a paused report stays paused',
  needs: { role: 'member', of: 'app' },
  limit: 'checks',
  reply: z.object({ messages: z.int().describe('Messages that are on their way, one for each channel.') }),
  errors: ['REPORT_NOT_FOUND', 'REPORT_WITHOUT_CHANNEL'],
  async handle({ params: { appId, reportId }, change }, parts) {
    const { account } = parts;
    const report = await found(account.reports.find(appId, reportId), 'REPORT_NOT_FOUND');
    if (report.channelIds.length === 0) throw new ApiError('REPORT_WITHOUT_CHANNEL');
    const { message } = await composedNow(report, appId, parts);
    return change('SendReport', async (at) => {
      const { teamId } = await lockApp(at, appId, 'member');
      const messages = await messagesOf(report, appId, message, { of: at.id, at: at.now }, parts);
      await account.messages.add(at.tx, messages);
      const { name } = report;
      return { subject: reportId, teamId, appId, after: { name }, done: { messages: messages.length } };
    });
  },
});

async function composedNow(report: ReportView, appId: string, parts: ConsoleParts) {
  const app = await parts.lookups.existingApp(appId);
  const days = periodOf(report, lastDue(report, app.timeZone, parts.now()).day);
  return { days, message: await composeReport(report, app, days, await isBehind(parts), parts) };
}
