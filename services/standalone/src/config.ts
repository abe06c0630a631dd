// The settings of the one-process product, and the only place here that reads the environment.
import { LONGEST_DAYS } from '@landfall/contracts';
import { integer, logLevels, readConfig } from '@landfall/runtime';
import { z } from 'zod';

const days = (value: number, what: string) => integer(1, 3650).default(value).describe(`Days that ${what} are kept.`);

export const StandaloneConfig = z.object({
  LANDFALL_DATA: z
    .string()
    .default('.landfall')
    .describe('The folder of the embedded PostgreSQL and of the secrets that were made at the first start.'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' })
    .optional()
    .describe('A PostgreSQL of your own, 14 or newer. Without it an embedded one runs in LANDFALL_DATA.')
    .meta({ secret: true, fallback: 'embedded' }),
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .describe(`How much is logged: ${logLevels.join(', ')}.`),
  KEEP_PENDING_LINK_DAYS: integer(LONGEST_DAYS, 3650)
    .default(LONGEST_DAYS)
    .describe(`Days that pending links are kept, at least ${LONGEST_DAYS}.`),
  KEEP_CONTACT_HOURS: integer(24, 24 * 30)
    .default(48)
    .describe('Hours that it is remembered which devices were met at which address.'),
  KEEP_RESTORE_DAYS: days(30, 'the decisions of restores'),
  KEEP_DEAD_LETTER_DAYS: days(90, 'messages that were given up on'),
});
export type StandaloneConfig = z.output<typeof StandaloneConfig>;

export const standaloneConfig = (env: NodeJS.ProcessEnv = process.env): StandaloneConfig =>
  readConfig(StandaloneConfig, env);
