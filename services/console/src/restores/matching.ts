import {
  DescribeRollout,
  LONGEST_DAYS,
  MOST_WHAT_IF_MINUTES,
  ReplayDecisions,
  Rollout,
  WhatIfSettings,
} from '@landfall/contracts';
import { z } from 'zod';
import { manageRoute } from '../routing/route.ts';
import { linkOf, shownLinksOf } from './list-restores.ts';

export const getMatching = manageRoute('GET /api/manage/apps/:appId/matching', {
  summary: 'Check whether matching by address is stricter at the moment: why, and until when',
  needs: { role: 'viewer', of: 'app' },
  reply: DescribeRollout.reply.extend({
    rollout: Rollout.nullable().describe(
      'The reason why phones that look new may belong to older users of the app. While it lasts, a restore without `installedSecondsAgo` matches by address only a tap of the last 5 minutes, and only when one person is there. `young`: the app is less than 8 days old. `manyNewDevices`: at least 12 % of the devices of the last 24 hours, or of the 24 hours before, had never been seen before. Null: there is no such reason, or the app had no users before (`matching.existingUsers` is false).',
    ),
    devices: DescribeRollout.reply.shape.devices.describe(
      'Devices on which the app was started in the last 24 hours, as the rule of `manyNewDevices` counts them: without demo data.',
    ),
  }),
  async handle({ params: { appId } }, { forward, lookups }) {
    const { id, createdAt, matching } = await lookups.existingApp(appId);
    const question = { appId: id, appCreatedAt: createdAt, existingUsers: matching.existingUsers };
    return forward(DescribeRollout, question);
  },
});

/** Milliseconds. A replay ends by itself before this time. */
const WAIT = { timeoutMs: 12_000 };

export const whatIfMatching = manageRoute('POST /api/manage/apps/:appId/matching/what-if', {
  summary:
    'Replay the last restores with other settings of matching; it compares the links. It changes nothing and takes up to ten seconds',
  needs: { role: 'member', of: 'app' },
  body: z.object({
    matching: WhatIfSettings.partial().describe(
      `The settings to try, instead of those of the app. Windows are at most ${MOST_WHAT_IF_MINUTES} minutes: decisions remember no older taps. Settings of exact keys and \`sharedFingerprintMinutes\` cannot be replayed.`,
    ),
    days: z.int().min(1).max(LONGEST_DAYS).default(LONGEST_DAYS).describe('The number of last days.'),
  }),
  reply: ReplayDecisions.reply.extend({
    links: z.array(linkOf).describe('The links of the examples, as they are now.'),
  }),
  async handle({ params: { appId }, body: { matching, days } }, parts) {
    const app = await parts.lookups.existingApp(appId);
    const { id, matching: current } = app;
    const question = { appId: id, days, current, changed: { ...current, ...matching } };
    const compared = await parts.forward(ReplayDecisions, question, WAIT);
    const linkIds = compared.examples.flatMap(({ before, after }) => [...before.linkIds, ...after.linkIds]);
    return { ...compared, links: await shownLinksOf(app, linkIds, parts) };
  },
});
