import { readFileSync } from 'node:fs';
import path from 'node:path';
import { databaseUrl, readConfig, StartError } from '@landfall/runtime';
import { z } from 'zod';

export const DatabaseConfig = z.object({
  LANDFALL_DATA: z.string().default('.landfall'),
  DATABASE_URL: databaseUrl().optional(),
});

/** Throws a StartError that begins with `missing` when no database is named and npm start has made none. */
export function databaseUrlOf(env: NodeJS.ProcessEnv, missing: string): string {
  const { LANDFALL_DATA, DATABASE_URL } = readConfig(DatabaseConfig, env);
  if (DATABASE_URL !== undefined) return DATABASE_URL;
  const file = path.join(LANDFALL_DATA, 'database-url');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new StartError(
      `${missing}, or run npm start first. It writes ${file}, or a file in its own LANDFALL_DATA: then set the same here.`,
    );
  }
}
