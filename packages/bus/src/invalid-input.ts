// The error for data that does not fit a contract, and the check that both adapters use.
import type { z } from 'zod';

/**
 * The input does not fit the contract. This is a mistake in the calling program. Nothing was sent, and a retry does not
 * help.
 */
export class InvalidInput extends TypeError {
  override name = 'InvalidInput';
}

/**
 * Returns the parsed data, or {@link InvalidInput} with the names of the wrong fields. The error message leaves out the
 * values.
 */
export function parsed<S extends z.ZodObject>(name: string, schema: S, input: unknown): z.output<S> | InvalidInput {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`);
  return new InvalidInput(`${name}: ${faults.join('; ')}`);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Returns an error when an id cannot be the id of a message, else undefined. Other ids are derived from message ids and
 * stored in uuid columns, which return them in lower case.
 */
export const wrongId = (name: string, id: string | undefined): InvalidInput | undefined =>
  id === undefined || UUID.test(id) ? undefined : new InvalidInput(`${name}: the id must be a UUID in lower case`);
