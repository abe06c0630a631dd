// Routes of the alerts of an app.
import { nameText, uuid } from '@landfall/contracts';
import { ApiError } from '@landfall/http';
import { z } from 'zod';
import { knownChannels } from '../channels/known-channels.ts';
import { lockApp } from '../common/rights.ts';
import { changed, found } from '../common/rows.ts';
import { MOST_CHANNELS } from '../reports/reports.ts';
import { id } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';
import { AlertFilter, type AlertSettings, type AlertView, alertMetrics, alertView } from './alert-repository.ts';
import { alertRules } from './rules.ts';
import { windows } from './windows.ts';

/** The most alerts of one app. */
const MAX_ALERTS = 50;
const HOUR_MS = 3_600_000;
const MOST_SNOOZE_HOURS = 720;
const MOST = 1e12;

const fields = {
  name: nameText(100),
  metric: z.enum(alertMetrics).describe('What is counted. `clicks`: taps. `attributedInstalls`: installs from links.'),
  filter: AlertFilter.nullable().describe(
    'Counts one campaign (`clicks`) or one link (`clicks`, `restores`) only. With it the window is `day`.',
  ),
  rule: z
    .enum(alertRules)
    .describe(
      '`fall`, `rise`: by more than `bound` percent of what is expected. `silence`: nothing, where at least 20 are expected. `above`, `below`: `bound` is a figure. Expected is the median of the same time of four weeks.',
    ),
  bound: z.number().min(0).max(MOST).nullable().describe('Null for `silence`.'),
  window: z.enum(windows).describe('The last complete hours, or the last day of the calendar.'),
  channelIds: z
    .array(uuid())
    .max(MOST_CHANNELS)
    .describe('The channels that are told when it begins and when it is over.'),
  paused: z.boolean(),
};

export const listAlerts = manageRoute('GET /api/manage/apps/:appId/alerts', {
  summary: 'List the alerts of an app, with their states',
  needs: { role: 'member', of: 'app' },
  reply: z.object({ alerts: z.array(alertView) }),
  async handle({ params: { appId } }, { account, lookups, now }) {
    await lookups.existingApp(appId);
    return { alerts: await account.alerts.list(appId, now()) };
  },
});

export const createAlert = manageRoute('POST /api/manage/apps/:appId/alerts', {
  summary: 'Tell channels when figures change: when taps, installs or restored links fall, rise, stop, or pass a limit',
  needs: { role: 'member', of: 'app' },
  body: z.object({
    ...fields,
    filter: fields.filter.default(null),
    bound: fields.bound.default(null),
    paused: fields.paused.default(false),
  }),
  reply: z.object({ alert: alertView }),
  errors: ['TOO_MANY_ALERTS'],
  async handle({ params: { appId }, body, change }, { account }) {
    assertFits(body);
    return change('CreateAlert', async (at) => {
      const { tx, id, now } = at;
      const { teamId } = await lockApp(at, appId, 'member');
      if ((await account.alerts.count(tx, appId)) >= MAX_ALERTS) throw new ApiError('TOO_MANY_ALERTS');
      const wanted = { ...body, channelIds: await knownChannels(at, appId, body.channelIds) };
      const alert = await account.alerts.insert(tx, { id, appId, ...wanted, now });
      return { subject: id, teamId, appId, after: wanted, done: { alert } };
    });
  },
});

export const changeAlert = manageRoute('PATCH /api/manage/apps/:appId/alerts/:alertId', {
  summary: 'Change an alert, pause it or go on with it; omitted fields do not change',
  needs: { role: 'member', of: 'app' },
  body: z.object(fields).partial(),
  reply: z.object({ alert: alertView }),
  errors: ['ALERT_NOT_FOUND'],
  async handle({ params: { appId, alertId }, body, change }, { account }) {
    return change('ChangeAlert', async (at) => {
      const { tx, now } = at;
      const { teamId } = await lockApp(at, appId, 'member');
      const before = settingsOf(await found(account.alerts.find(tx, appId, alertId, now), 'ALERT_NOT_FOUND'));
      const after = changed(before, body);
      assertFits(after);
      if (body.channelIds) after.channelIds = await knownChannels(at, appId, body.channelIds);
      const anew = ASKED.some((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
      const alert = await account.alerts.change(tx, alertId, after, { anew, now });
      return { subject: alertId, teamId, appId, before, after, done: { alert } };
    });
  },
});

/** What decides the state. An alert that goes on after a pause begins again, too. */
const ASKED = ['metric', 'filter', 'rule', 'bound', 'window', 'paused'] as const;

const settingsOf = ({ name, metric, filter, rule, bound, window, channelIds, paused }: AlertView): AlertSettings => ({
  name,
  metric,
  filter,
  rule,
  bound,
  window,
  channelIds,
  paused,
});

export const snoozeAlert = manageRoute('POST /api/manage/apps/:appId/alerts/:alertId/snooze', {
  summary: 'Keep an alert quiet for some hours',
  needs: { role: 'member', of: 'app' },
  body: z.object({
    hours: z.int().min(0).max(MOST_SNOOZE_HOURS).describe('0: it speaks again. What is still so then is told.'),
  }),
  reply: z.object({ alert: alertView }),
  errors: ['ALERT_NOT_FOUND'],
  async handle({ params: { appId, alertId }, body: { hours }, change }, { account }) {
    return change('SnoozeAlert', async (at) => {
      const { tx, now } = at;
      const { teamId } = await lockApp(at, appId, 'member');
      await found(account.alerts.find(tx, appId, alertId, now), 'ALERT_NOT_FOUND');
      const until = hours === 0 ? null : new Date(now.getTime() + hours * HOUR_MS);
      const alert = await account.alerts.snooze(tx, alertId, until, now);
      return { subject: alertId, teamId, appId, after: { snoozedUntil: until }, done: { alert } };
    });
  },
});

export const removeAlert = manageRoute('DELETE /api/manage/apps/:appId/alerts/:alertId', {
  summary: 'Remove an alert',
  needs: { role: 'member', of: 'app' },
  reply: z.object({}),
  errors: ['ALERT_NOT_FOUND'],
  async handle({ params: { appId, alertId }, change }, { account }) {
    return change('RemoveAlert', async (at) => {
      const { teamId } = await lockApp(at, appId, 'member');
      const { name } = await found(account.alerts.find(at.tx, appId, alertId, at.now), 'ALERT_NOT_FOUND');
      await account.alerts.remove(at.tx, alertId);
      return { subject: alertId, teamId, appId, before: { name }, done: {} };
    });
  },
});

/** Throws 400 with the name of the field that does not fit the others. */
function assertFits({ metric, filter, rule, bound, window }: AlertSettings): void {
  if ((bound === null) !== (rule === 'silence'))
    throw wrong('bound', rule === 'silence' ? 'must be null for silence' : 'is required');
  if (rule === 'fall' && (bound! < 1 || bound! > 99)) throw wrong('bound', 'must be 1 to 99 percent for a fall');
  if (rule === 'rise' && (bound! < 1 || bound! > 10_000)) throw wrong('bound', 'must be 1 to 10000 percent for a rise');
  if (filter === null) return;
  const isCounted = metric === 'clicks' || (metric === 'restores' && filter.dimension === 'link');
  if (!isCounted) throw wrong('filter', `must be null: ${metric} are not counted by ${filter.dimension}`);
  if (filter.dimension === 'link' && !id().safeParse(filter.value).success)
    throw wrong('filter.value', 'must be the id of a link');
  if (window !== 'day') throw wrong('window', 'must be day with a filter: hours are counted in total only');
}

const wrong = (path: string, message: string) => new ApiError('INVALID_REQUEST', [{ path, message }]);
