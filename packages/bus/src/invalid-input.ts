// The error for data that a contract does not allow, and the check of both adapters.
import type { z } from 'zod';

/** The input does not fit the contract: a mistake in the asking program. Nothing was sent; repeating does not help. */
export class InvalidInput extends TypeError {
  override name = 'InvalidInput';
}

/** The parsed data, or {@link InvalidInput} saying which fields are wrong. Values are left out of the sentence. */
export function parsed<S extends z.ZodObject>(name: string, schema: S, input: unknown): z.output<S> | InvalidInput {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`);
  return new InvalidInput(`${name}: ${faults.join('; ')}`);
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Returns the reason why an id cannot be the id of a message, if there is one. Ids are derived from ids, and end in
 * uuid columns, which give them back in lower case.
 */
export const wrongId = (name: string, id: string | undefined): InvalidInput | undefined =>
  id === undefined || UUID.test(id) ? undefined : new InvalidInput(`${name}: the id must be a UUID in lower case`);
