// The settings of the account service: who owns the instance, and how long what is kept.
import { isDeceptive } from '@landfall/contracts';
import { SealConfig, StartError } from '@landfall/runtime';
import { AuditRetentionConfig, readWorkerConfig, WorkerConfig } from '@landfall/worker';
import { z } from 'zod';
import type { InitOwner } from './first-owner.ts';
import type { Retention } from './retention.ts';

/** Whose instance it is, for starts that nobody watches. */
export const InitOwnerConfig = z.object({
  LANDFALL_INIT_OWNER_EMAIL: z
    .string()
    .trim()
    .refine((email) => !isDeceptive(email), {
      error: 'must contain no invisible character, and none that is easily taken for an ASCII character',
    })
    .toLowerCase()
    .max(320)
    .regex(/^[^\s@]+@[^\s@]+$/, 'must be an email address')
    .optional()
    .describe('Makes this person the first owner of an instance that has none. Nothing is changed when it has one.'),
  LANDFALL_INIT_OWNER_PASSWORD: z
    .string()
    .max(1_024)
    .optional()
    .describe('Their password, at least 10 characters. It is never reset: taking it away afterwards is best.')
    .meta({ secret: true }),
});

/** Undefined when the environment names nobody. */
export function initOwnerOf(config: z.output<typeof InitOwnerConfig>): InitOwner | undefined {
  const { LANDFALL_INIT_OWNER_EMAIL: email, LANDFALL_INIT_OWNER_PASSWORD: password } = config;
  if (!email && !password) return undefined;
  if (!email || !password)
    throw new StartError('LANDFALL_INIT_OWNER_EMAIL and LANDFALL_INIT_OWNER_PASSWORD need each other.');
  return { email, password };
}

export const keepOf = (config: z.output<typeof AuditRetentionConfig>): Retention => ({
  auditDays: config.KEEP_AUDIT_DAYS,
});

export const AccountConfig = z.object({
  ...WorkerConfig.shape,
  ...SealConfig.shape,
  ...InitOwnerConfig.shape,
  ...AuditRetentionConfig.shape,
  OWNER_TOKEN: z
    .string()
    .regex(/^lf_[0-9a-f]{32}$/, 'must be lf_ and 32 hexadecimal digits')
    .optional()
    .describe(
      'A token that opens `/api/manage`: `lf_` and 32 hexadecimal digits, e.g. of `openssl rand -hex 16`. Only its hash is stored; taking the variable away does not revoke it.',
    )
    .meta({ secret: true, fallback: 'made by `npm start`' }),
});
export type AccountConfig = z.output<typeof AccountConfig>;

export const accountConfig = (env: NodeJS.ProcessEnv): AccountConfig => readWorkerConfig(AccountConfig, env);
