import type { z } from 'zod';

/** The input does not fit the contract: a mistake in the calling program. Nothing was sent, and no retry helps. */
export class InvalidInput extends TypeError {
  override name = 'InvalidInput';
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** InvalidInput names the wrong fields, not their values. `id` is compared with uuid columns, which are lower case. */
export function parsed<S extends z.ZodObject>(
  name: string,
  schema: S,
  input: unknown,
  id?: string,
): z.output<S> | InvalidInput {
  if (id !== undefined && !UUID.test(id)) return new InvalidInput(`${name}: the id must be a UUID in lower case`);
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.') || 'the whole'}: ${issue.message}`);
  return new InvalidInput(`${name}: ${faults.join('; ')}`);
}
