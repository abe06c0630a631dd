// The route that compares other settings of matching with what was given.
import { LONGEST_DAYS, MOST_WHAT_IF_MINUTES, ReplayDecisions, WhatIfSettings } from '@landfall/contracts';
import { z } from 'zod';
import { existingApp } from '../apps/existing-app.ts';
import { appParams } from '../routes/manage-fields.ts';
import { manageRoute } from '../routing/route.ts';

/** Milliseconds. A replay ends by itself before this time. */
const WAIT = { timeoutMs: 12_000 };

export const whatIfMatching = manageRoute({
  method: 'POST',
  path: '/api/manage/apps/:appId/matching/what-if',
  name: 'whatIfMatching',
  summary:
    'Replay the restores of the last days with other settings of matching, and compare the links. It changes nothing and takes up to ten seconds',
  needs: { role: 'member', of: 'app' },
  params: appParams,
  body: z.object({
    matching: WhatIfSettings.partial().describe(
      `The settings to try, instead of those of the app. Windows are at most ${MOST_WHAT_IF_MINUTES} minutes: decisions remember no older taps. Settings of exact keys and \`sharedFingerprintMinutes\` cannot be replayed.`,
    ),
    days: z.int().min(1).max(LONGEST_DAYS).default(LONGEST_DAYS).describe('The number of last days.'),
  }),
  reply: ReplayDecisions.reply,
  errors: [],
  async handle({ params: { appId }, body: { matching, days } }, { forward, lookups }) {
    const { id, matching: current } = await existingApp(appId, lookups);
    const question = { appId: id, days, current, changed: { ...current, ...matching } };
    return forward(ReplayDecisions, question, WAIT);
  },
});
