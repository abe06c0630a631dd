// Routes of the reports of an app.
import { nameText, uuid } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { knownChannels } from '../channels/known-channels.ts';
import { lastSent } from '../channels/message-repository.ts';
import { lockApp } from '../common/rights.ts';
import { changed, found } from '../common/rows.ts';
import { manageRoute } from '../routing/route.ts';
import { type ReportView, reportView } from './report-repository.ts';
import { nextDue, periods } from './schedule.ts';

/** The most reports of one app. */
const MAX_REPORTS = 20;
export const MOST_CHANNELS = 20;

const fields = {
  name: nameText(100),
  every: z.enum(periods).describe('How often it is sent. It is about the days since the one before.'),
  day: z
    .int()
    .min(1)
    .max(31)
    .describe('Of `week`: 1 (Monday) to 7. Of `month`: the day of the month, or the last day of a shorter month.'),
  hour: z.int().min(0).max(23).describe("The hour of the day in the app's time zone."),
  channelIds: z.array(uuid()).max(MOST_CHANNELS).describe('The channels that get it.'),
  paused: z.boolean(),
};

export const listReports = manageRoute('GET /api/manage/apps/:appId/reports', {
  summary: 'List the reports of an app',
  needs: { role: 'member', of: 'app' },
  reply: z.object({ reports: z.array(reportView.extend({ last: lastSent.nullable() })) }),
  async handle({ params: { appId } }, { account, lookups }) {
    await lookups.existingApp(appId);
    const reports = await account.reports.list(appId);
    const last = await account.messages.lastOf(reports.map(({ id }) => id));
    return { reports: reports.map((report) => ({ ...report, last: last.get(report.id) ?? null })) };
  },
});

export const createReport = manageRoute('POST /api/manage/apps/:appId/reports', {
  summary: 'Send the figures of an app to channels every day, week or month',
  needs: { role: 'member', of: 'app' },
  body: z.object({
    ...fields,
    day: fields.day.default(1),
    hour: fields.hour.default(9),
    paused: fields.paused.default(false),
  }),
  reply: z.object({ report: reportView }),
  errors: ['TOO_MANY_REPORTS'],
  async handle({ params: { appId }, body, change }, { account }) {
    assertDay(body);
    return change('CreateReport', async (at) => {
      const { tx, id, now } = at;
      const { teamId, timeZone } = await lockApp(at, appId, 'member');
      if ((await account.reports.count(tx, appId)) >= MAX_REPORTS) throw new ApiError('TOO_MANY_REPORTS');
      const wanted = { ...body, channelIds: await knownChannels(at, appId, body.channelIds) };
      const { at: nextAt } = nextDue(wanted, timeZone, now);
      const report = await account.reports.insert(tx, { id, appId, ...wanted, nextAt, now });
      return { subject: id, teamId, appId, after: wanted, done: { report } };
    });
  },
});

export const changeReport = manageRoute('PATCH /api/manage/apps/:appId/reports/:reportId', {
  summary: 'Change a report, pause it or go on with it; omitted fields do not change',
  needs: { role: 'member', of: 'app' },
  body: z.object(fields).partial(),
  reply: z.object({ report: reportView }),
  errors: ['REPORT_NOT_FOUND'],
  async handle({ params: { appId, reportId }, body, change }, { account }) {
    return change('ChangeReport', async (at) => {
      const { tx, now } = at;
      const { teamId, timeZone } = await lockApp(at, appId, 'member');
      const {
        id: _,
        createdAt: __,
        nextAt: ___,
        ...before
      } = await found(account.reports.find(appId, reportId, tx), 'REPORT_NOT_FOUND');
      const after = changed(before, body);
      assertDay(after);
      if (body.channelIds) after.channelIds = await knownChannels(at, appId, body.channelIds);
      const report = await account.reports.change(tx, reportId, { ...after, nextAt: nextDue(after, timeZone, now).at });
      return { subject: reportId, teamId, appId, before, after, done: { report } };
    });
  },
});

export const removeReport = manageRoute('DELETE /api/manage/apps/:appId/reports/:reportId', {
  summary: 'Remove a report',
  needs: { role: 'member', of: 'app' },
  reply: z.object({}),
  errors: ['REPORT_NOT_FOUND'],
  async handle({ params: { appId, reportId }, change }, { account }) {
    return change('RemoveReport', async (at) => {
      const { teamId } = await lockApp(at, appId, 'member');
      const { name } = await found(account.reports.find(appId, reportId, at.tx), 'REPORT_NOT_FOUND');
      await account.reports.remove(at.tx, reportId);
      return { subject: reportId, teamId, appId, before: { name }, done: {} };
    });
  },
});

/** Throws 400 for a day that no week has. */
function assertDay({ every, day }: Pick<ReportView, 'every' | 'day'>): void {
  if (every === 'week' && day > 7)
    throw new ApiError('INVALID_REQUEST', [{ path: 'day', message: 'must be 1 (Monday) to 7 of a week' }]);
}
