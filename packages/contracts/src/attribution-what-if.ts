// Replays stored decisions with other settings of matching by address.
import { z } from 'zod';
import { MatchType } from './attribution.ts';
import { requestsOf } from './define.ts';
import { instant, text, uuid, withoutDefaults } from './fields.ts';
import { LONGEST_DAYS, MatchingSettings, MOST_WHAT_IF_MINUTES } from './matching.ts';

const window = () => z.int().min(0).max(MOST_WHAT_IF_MINUTES);

/** The settings that a replay can change. The others decide what is stored, or how long an exact key counts. */
export const WhatIfSettings = withoutDefaults(
  MatchingSettings.omit({ sharedFingerprintMinutes: true, tokenDays: true, emailDays: true, fingerprintDays: true }),
).extend({
  windowMinutes: window(),
  installedWindowMinutes: window(),
  modelWindowMinutes: window(),
  ipv6WindowMinutes: window(),
});
export type WhatIfSettings = z.output<typeof WhatIfSettings>;

const count = () => z.int().min(0);

const Outcome = z.object({
  matchType: MatchType.nullable().describe('Null: no link.'),
  linkIds: z.array(uuid()),
  reason: text(1000).describe('The decision as a sentence.'),
});

const Truth = z.object({
  right: count().describe('Restores that get a link which their token or email names.'),
  wrong: count().describe('Restores that get another link.'),
  missed: count().describe('Restores that get no link.'),
});

export const ReplayDecisions = requestsOf('attribution').query('ReplayDecisions', {
  description: 'Makes the stored decisions of an app again with other settings, and compares the links.',
  input: z.object({
    appId: uuid(),
    days: z.int().min(1).max(LONGEST_DAYS),
    current: MatchingSettings,
    changed: MatchingSettings,
  }),
  reply: z.object({
    from: instant().describe('The time of the oldest decision that could be replayed.'),
    to: instant(),
    cut: z
      .enum(['rows', 'time'])
      .nullable()
      .describe(
        '`rows`: there are more than 100,000 decisions, so the oldest are left out. `time`: the replay took too long, so the newest are left out. Null: all are replayed.',
      ),
    decisions: z.object({
      total: count().describe('Restores with a decision.'),
      withoutFacts: count().describe(
        'Decisions of which no facts are stored, e.g. of an older version of Landfall. They stay as they were.',
      ),
      outOfReach: count().describe(
        'Decisions among so many taps that the facts do not reach back far enough for these settings. They stay as they were.',
      ),
    }),
    given: z.object({
      before: count().describe('Restores that got a link.'),
      after: count().describe('Restores that get a link with the changed settings.'),
      newly: count().describe('Restores that got no link and now get one.'),
      noLonger: count().describe('Restores that got a link and now get none.'),
      otherLink: count().describe('Restores that now get another link.'),
    }),
    truth: z
      .object({
        known: count().describe('Restores whose link a token or an email names.'),
        current: Truth.describe('Matching by address with the current settings.'),
        changed: Truth.describe('Matching by address with the changed settings.'),
      })
      .describe('What matching by address alone would have given where a token or an email says whose the link is.'),
    examples: z
      .array(z.object({ restoreId: uuid(), at: instant(), before: Outcome, after: Outcome }))
      .max(60)
      .describe('The newest restores whose links differ, at most 20 of each kind.'),
  }),
  key: (input) => input.appId,
});
