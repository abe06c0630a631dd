// The first question to a PostgreSQL that somebody named.
import { connect } from '@landfall/db';
import { StartError } from '@landfall/runtime';

/** Throws a sentence that ends the start when it does not answer. */
export async function assertUsable(url: string): Promise<void> {
  const database = connect({ url, max: 1 });
  try {
    await database.rows('select 1');
  } catch (error) {
    // A refused connection to several addresses of one name has its message inside.
    const { message, errors } = error as AggregateError;
    throw new StartError(`DATABASE_URL names a PostgreSQL that cannot be used: ${message || errors?.[0]?.message}.`);
  } finally {
    await database.close();
  }
}
