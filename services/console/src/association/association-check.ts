// The regular check of an app: what was found on its hosts.
import { associationChecks, instant, text } from '@landfall/contracts';
import { z } from 'zod';

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

export const AssociationCheck = z.object({
  checkedAt: instant(),
  /** True when phones do not get a file that they need. */
  failing: z.boolean(),
  /** Four for each host of the app. */
  findings: z.array(AssociationFinding).max(100),
});
export type AssociationCheck = z.output<typeof AssociationCheck>;
