// Messages about the association files of an app: the regular checks of its hosts.
import { z } from 'zod';
import { event, request } from '../define.ts';
import { instant, text, uuid } from '../fields.ts';
import { APP_NOT_FOUND, App } from './apps.ts';

const queries = 'account.queries';
const commands = 'account.commands';

export const associationChecks = ['apple-file', 'google-file', 'apple-copy', 'google-copy'] as const;
export const findingStates = ['ok', 'warn', 'failed', 'skipped'] as const;

/** The result of one check of one host. */
export const AssociationFinding = z.object({
  check: z.enum(associationChecks),
  state: z.enum(findingStates),
  host: text(300),
  /** What was found, in a sentence. */
  detail: text(1_000),
  /** What to do about it. Null when all is well. */
  fix: text(1_000).nullable(),
});
export type AssociationFinding = z.output<typeof AssociationFinding>;

/** The maximum number of findings of one app: four for each of its hosts. */
const findings = () => z.array(AssociationFinding).max(100);

export const AssociationCheck = z.object({
  checkedAt: instant(),
  /** True when phones do not get a file that they need. */
  failing: z.boolean(),
  findings: findings(),
});
export type AssociationCheck = z.output<typeof AssociationCheck>;

/** Each app is given to one sender at a time. An app whose check is not stored is due again after the time. */
export const TakeAssociationChecks = request({
  kind: 'command',
  name: 'TakeAssociationChecks',
  description: 'Takes apps whose hosts are due for a check of their association files.',
  topic: commands,
  input: z.object({ limit: z.int().min(1).max(50), againAfterSeconds: z.int().min(60).max(86_400) }),
  reply: z.object({ apps: z.array(App) }),
  refusals: {},
  key: (_, id) => id,
});

export const StoreAssociationCheck = request({
  kind: 'command',
  name: 'StoreAssociationCheck',
  description: 'Stores the check of an app. An older check than the stored one changes nothing.',
  topic: commands,
  input: z.object({ appId: uuid(), checkedAt: instant(), findings: findings() }),
  reply: z.object({ check: AssociationCheck }),
  refusals: { APP_NOT_FOUND },
  key: (input) => input.appId,
});

export const FindAssociationCheck = request({
  kind: 'query',
  name: 'FindAssociationCheck',
  description: 'Finds the last check of an app.',
  topic: queries,
  input: z.object({ appId: uuid() }),
  reply: z.object({ check: AssociationCheck.nullable() }),
  refusals: {},
  key: (input) => input.appId,
});

export const AppAssociationChanged = event({
  name: 'AppAssociationChanged',
  description:
    'The regular check of an app found that phones no longer get an association file from one of its hosts, or that they get all of them again. Without these files, links do not open the app.',
  audience: 'public',
  producer: 'account',
  topic: 'app.association',
  data: z.object({
    appId: uuid().describe('The app.'),
    failing: z.boolean().describe('True: a file is missing or wrong. False: all files are well again.'),
    checkedAt: instant().describe('The time of the check.'),
    failed: z
      .array(
        z.object({
          check: z.enum(associationChecks).describe('The file.'),
          host: text(300).describe('The host.'),
          detail: text(1_000).describe('What was found, in a sentence.'),
        }),
      )
      .max(100)
      .describe('The checks that failed.'),
  }),
  key: (data) => data.appId,
});
