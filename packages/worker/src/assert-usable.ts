// The first question to a PostgreSQL that somebody named.
import { connect, isTransient } from '@landfall/db';
import { reasonOf, StartError } from '@landfall/runtime';

/** Throws a sentence that ends the start when it does not answer. */
export async function assertUsable(url: string): Promise<void> {
  try {
    await askOnce(url);
  } catch (error) {
    throw new StartError(`DATABASE_URL names a PostgreSQL that cannot be used: ${reasonOf(error)}.`);
  }
}

/** Rejects with the error of the connection. */
export async function askOnce(url: string): Promise<void> {
  const database = connect({ url, max: 1 });
  try {
    await database.rows('select 1');
  } finally {
    await database.close();
  }
}

/** SQLSTATE of a wrong password, or of a database that does not exist. They do not pass by themselves. */
const REFUSED = /^(28|3D)/;

/** Returns true when PostgreSQL is not up yet. */
export const isAway = (error: unknown): boolean =>
  isTransient(error) && !REFUSED.test(`${(error as { code?: string }).code}`);
