// The settings of the account service in a process of its own.
import { readWorkerConfig, WorkerConfig } from '@landfall/worker';
import { z } from 'zod';

export const AccountConfig = z.object({
  ...WorkerConfig.shape,
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
