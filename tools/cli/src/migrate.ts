import { databaseUrl, readConfig } from '@landfall/runtime';
import { migrate } from '@landfall/worker';
import { z } from 'zod';
import type { AddCommand } from './command.ts';

const MigrateConfig = z.object({ DATABASE_URL: databaseUrl().meta({ secret: true }) });

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
      const applied = await migrate(DATABASE_URL);
      print(applied.length === 0 ? 'Nothing was missing.' : `Applied ${applied.join(', ')}.`);
    });
};
