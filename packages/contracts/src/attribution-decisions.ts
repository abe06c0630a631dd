// The stored decisions of restores: their list, and their replay with other settings of matching by address.
import { z } from 'zod';
import { Considered, MatchType, RestoreOutcome } from './attribution.ts';
import { clientName, Platform, SentEvidence } from './client.ts';
import { requestsOf } from './define.ts';
import { cursor, hash, instant, orNull, page, text, uuid, withoutDefaults } from './fields.ts';
import { LONGEST_DAYS, MatchingSettings, MOST_WHAT_IF_MINUTES } from './matching.ts';

const { query } = requestsOf('attribution');

/**
 * The code of a decision. `untapped`: no tap was made at the address in two hours. `beyond`: taps were made there, and
 * they were too old for the settings, or given before.
 */
export const DecisionCode = z.enum([...RestoreOutcome.options, 'beyond']);
export type DecisionCode = z.output<typeof DecisionCode>;

/** `found`: links were given. `refused`: a tap was considered and not given. `nothing`: there was no tap to consider. */
export const RestoreState = z.enum(['found', 'refused', 'nothing']);
export type RestoreState = z.output<typeof RestoreState>;

/** The hours before a start in which its nearest taps are listed, and the most of them, at any address and at its own. */
export const NEAR_HOURS = 24;
export const MOST_NEAR = 3;

/** A tap of the app that may be the one that led to a start without a link. */
export const NearTap = z.object({
  pendingLinkId: uuid(),
  linkId: uuid(),
  tappedAt: instant(),
  platform: Platform.nullable(),
  /** True when it was made at the address of the start. Null: the start has no address. */
  here: z.boolean().nullable(),
  /** True when it was given to another start, or an installed app opened it, before this start. */
  closed: z.boolean(),
});
export type NearTap = z.output<typeof NearTap>;

export const RestoreFilter = z.object({
  state: orNull(RestoreState),
  platform: orNull(Platform),
  keyId: orNull(uuid()),
  /** A link that was considered, given or not. */
  linkId: orNull(uuid()),
  /** Not before this time, and before that time. */
  from: orNull(instant()),
  before: orNull(instant()),
  /** Restores of any of these. Null: of all. */
  of: orNull(
    z.object({
      devices: z.array(hash()).max(10),
      /** The first characters of the hash of a device, as lists show them. */
      deviceStarts: z
        .array(z.string().regex(/^[\w-]{8,42}$/))
        .max(2)
        .default([]),
      users: z.array(hash()).max(10),
      linkIds: z.array(uuid()).max(10),
      requestIds: z.array(text(100)).max(2).default([]),
      ids: z.array(uuid()).max(2).default([]),
    }),
  ),
});
export type RestoreFilter = z.output<typeof RestoreFilter>;

export const ListRestores = query('ListRestores', {
  description: 'Lists the decisions of the restores of an app with their reasons, latest first.',
  input: z.object({
    appId: uuid(),
    ...page,
    filter: orNull(RestoreFilter),
    /** Whether to look for the nearest taps of restores that had no tap to consider. */
    near: z.boolean().default(false),
  }),
  reply: z.object({
    restores: z.array(
      z.object({
        id: uuid(),
        at: instant(),
        matchType: MatchType.nullable(),
        outcome: orNull(DecisionCode).describe(
          'The decision as a code. `untapped`: no tap at its address in two hours. `beyond`: taps there that were too old, or given before. `refused`: a tap was considered, and not given. `lost`: the answer did not arrive, and the next start finds the links.',
        ),
        summary: text(500),
        considered: z.array(Considered),
        releasedAt: instant().nullable(),
        device: orNull(hash()).describe('A keyed hash of the device, as in `device.installed`. Null: it is unnamed.'),
        platform: orNull(Platform),
        client: orNull(clientName()).describe('The client and its version. Null: stored by an older version.'),
        keyId: orNull(uuid()).describe('The key of the request. Null: stored by an older version.'),
        sent: orNull(SentEvidence).describe('The evidence that came with it. Null: stored by an older version.'),
        hasAddress: orNull(z.boolean()).describe('False: Landfall does not see the addresses of people.'),
        near: z
          .array(NearTap)
          .default([])
          .describe(
            `The taps of the app before a start that had no tap to consider, in ${NEAR_HOURS} hours: the latest of all, and of those at its address. \`here\`: at the same address.`,
          ),
      }),
    ),
    next: cursor().nullable(),
  }),
  key: (input) => input.appId,
});

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

export const ReplayDecisions = query('ReplayDecisions', {
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
