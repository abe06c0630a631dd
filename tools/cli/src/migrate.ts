// Updates the database to the tables of this version, and ends. It runs before any service starts.
import { applyMigrations } from '@landfall/db';
import { databaseUrl, readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';
import type { AddCommand } from './command.ts';

const MigrateConfig = z.object({
  DATABASE_URL: databaseUrl().meta({ secret: true }),
});

export const addMigrate: AddCommand = (program, { env, print }) => {
  program
    .command('migrate')
    .description('Bring the tables of DATABASE_URL up to date.')
    .addHelpText(
      'after',
      `
Applies the migrations that DATABASE_URL lacks, each whole or not at all, and ends. Every service does the same at its start,
one after the other. Run it before the services of a new version, with a role that may change tables.`,
    )
    .action(async () => {
      const { DATABASE_URL } = readConfig(MigrateConfig, env);
      const applied = await applyMigrations(DATABASE_URL).catch((error: AggregateError) => {
        // When a connection to several addresses of one name is refused, only the inner errors have a message.
        const reason: string = error.message || error.errors?.[0]?.message;
        throw new StartError(`The database is not up to date: ${reason.replace(/\.?$/, '.')}`);
      });
      print(applied.length === 0 ? 'Nothing was missing.' : `Applied ${applied.join(', ')}.`);
    });
};
