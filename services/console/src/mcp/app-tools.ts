// Tools for apps: list them, count their events, see their restores, check their set-up.
import { AnalyticsDimension, AnalyticsInterval, AnalyticsMetric, MOST_FILTERS, text } from '@landfall/contracts';
import { z } from 'zod';
import { getAnalytics } from '../analytics/analytics.ts';
import { compare } from '../analytics/asked.ts';
import { listApps } from '../apps/apps.ts';
import { checkApp } from '../association/checks.ts';
import { listRestores, restoreFilter } from '../restores/list-restores.ts';
import { appView, next } from '../routes/manage-fields.ts';
import { appId, page } from './fields.ts';
import { READS, tool } from './tool.ts';

const apps = tool('list_apps', {
  title: 'List apps',
  description:
    'Lists the apps that you may see, with their ids, which other tools need, and the hosts of their links. Call it first.',
  hints: READS,
  input: z.object({
    archived: z.enum(['false', 'true', 'all']).default('false').describe('`false`: live apps. `true`: archived apps.'),
    ...page,
  }),
  output: z.object({
    apps: z.array(
      appView.pick({
        id: true,
        teamId: true,
        name: true,
        linkHost: true,
        openHost: true,
        domains: true,
        labels: true,
        timeZone: true,
        plan: true,
        createdAt: true,
        archivedAt: true,
      }),
    ),
    next: next(),
  }),
  run: (query, ask) => ask(listApps, { query }),
});

const moment = () => text(40).optional();

const analytics = tool('analytics', {
  title: 'Count events',
  description:
    "Counts the events of an app in a range of time: in total, in buckets of time, or split by a dimension. Days and hours are those of the app's time zone. For the change against the period before use `compare`.",
  hints: READS,
  input: z.object({
    appId: appId(),
    metric: AnalyticsMetric.describe(
      'What is counted. `installs`: first starts. `attributedInstalls`: those after a tap. `restores`: first starts that got their link. `visitors`: people who clicked, each once a day.',
    ),
    groupBy: AnalyticsDimension.optional().describe(
      'Splits the figures. `label:` takes a key of the labels of the app, e.g. `label:inviter`. Not every metric has every dimension.',
    ),
    from: moment().describe('A day such as 2026-11-23, or a time. Omitted: 30 days, which end with the day of `to`.'),
    to: moment().describe('A day, which is included, or a time, which is not. Omitted: the present.'),
    filter: z
      .array(text(400))
      .max(MOST_FILTERS)
      .default([])
      .describe(
        'Each is a dimension, a colon and a value, e.g. `country:DE`. No value: events without one. Values of one dimension are alternatives, and all dimensions must hold.',
      ),
    interval: AnalyticsInterval.default('total').describe('The length of a bucket. `total`: one bucket.'),
    compare,
    limit: z.int().min(1).max(100).default(10).describe('The most groups.'),
  }),
  output: getAnalytics.reply,
  run: ({ appId, ...query }, ask) => ask(getAnalytics, { params: { appId }, query }),
});

const restores = tool('restores', {
  title: 'List restores',
  description:
    'Lists what the latest first starts of an app got, newest first: whether a link of an earlier tap was given back, by which evidence, why each candidate was taken or not, the nearest taps, and what would have found a link. Use it when a link did not survive the install.',
  hints: READS,
  input: z.object({ appId: appId(), ...restoreFilter, ...page }),
  output: listRestores.reply,
  run: ({ appId, ...query }, ask) => ask(listRestores, { params: { appId }, query }),
});

const checks = tool('app_checks', {
  title: 'Check the set-up of an app',
  description:
    'Checks what phones need to open an app from its links: settings, https, and the association files of Apple and Google on its hosts. Each finding that is not well has one fix. It takes up to five seconds.',
  hints: READS,
  input: z.object({ appId: appId() }),
  output: checkApp.reply.omit({ files: true }),
  run: ({ appId }, ask) => ask(checkApp, { params: { appId } }),
});

export const appTools = [apps, analytics, restores, checks];
