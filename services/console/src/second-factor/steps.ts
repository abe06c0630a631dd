// What must be known between two requests of one person, who signs in or sets up a second factor. It is sealed and given
// to the caller, so that nothing is stored for those who never come back.
import { randomUUID } from 'node:crypto';
import { ApiError } from '@landfall/http';
import type { Sealer } from '@landfall/runtime';
import { z } from 'zod';

const LIFETIME_MS = 600_000;

const challenge = z.string();

const Step = z.discriminatedUnion('of', [
  /** The password was right. `password`: the hash of its stored hash, because it may change meanwhile. */
  z.object({ of: z.literal('second step'), userId: z.uuid(), password: z.string(), challenge }),
  z.object({ of: z.literal('passkey sign-in'), challenge }),
  z.object({ of: z.literal('new passkey'), userId: z.uuid(), challenge }),
  z.object({ of: z.literal('new authenticator app'), userId: z.uuid(), secret: z.string() }),
]);
type Step = z.output<typeof Step>;
export type StepOf<Of extends Step['of']> = Extract<Step, { of: Of }> & { id: string };

const Sealed = z.object({ id: z.uuid(), until: z.int(), step: Step });

/** The step as a caller gets it and gives it back. */
export const stepText = () =>
  z
    .string()
    .max(2_048)
    .regex(/^v1\.[A-Za-z0-9_-]{38,}$/, 'must be a step that this installation gave')
    .meta({ format: 'password' })
    .describe('What the installation knows of the first request. It is good for ten minutes.');

export function sealStep(sealer: Sealer, step: Step, now: Date): string {
  return sealer.seal('sign-in step', JSON.stringify({ id: randomUUID(), until: now.getTime() + LIFETIME_MS, step }));
}

/** @throws ApiError STEP_OVER for a step that is over, is of another kind, or is none of ours */
export function openStep<Of extends Step['of']>(sealer: Sealer, of: Of, sealed: string, now: Date): StepOf<Of> {
  const { id, until, step } = opened(sealer, sealed);
  if (step.of !== of || now.getTime() >= until) throw new ApiError('STEP_OVER');
  return { ...(step as Extract<Step, { of: Of }>), id };
}

function opened(sealer: Sealer, sealed: string): z.output<typeof Sealed> {
  try {
    return Sealed.parse(JSON.parse(sealer.open('sign-in step', sealed)));
  } catch {
    throw new ApiError('STEP_OVER');
  }
}
