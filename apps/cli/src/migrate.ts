// Brings the database to the tables of this version and ends: for whoever wants that done before any service starts.
import { applyMigrations } from '@landfall/db';
import { readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

const MigrateConfig = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgresql:// URL' }).meta({ secret: true }),
});

export const migrate: Command = {
  says: 'bring the tables of DATABASE_URL up to date',
  help: `Applies the migrations that DATABASE_URL lacks, each whole or not at all, and ends. Every service does the same at its
start, one after the other; here it is done once, by whoever may change tables. Run it before the services of a new version.

  migrate`,
  async run(args, env, print) {
    if (args.length > 0) throw new UsageError('migrate takes nothing: it reads DATABASE_URL', this.help);
    const { DATABASE_URL } = readConfig(MigrateConfig, env);
    const applied = await applyMigrations(DATABASE_URL).catch((error: AggregateError) => {
      // A refused connection to several addresses of one name has its message inside.
      const reason: string = error.message || error.errors?.[0]?.message;
      throw new StartError(`The database is not up to date: ${reason.replace(/\.?$/, '.')}`);
    });
    print(applied.length === 0 ? 'Nothing was missing.' : `Applied ${applied.join(', ')}.`);
    return 0;
  },
};
