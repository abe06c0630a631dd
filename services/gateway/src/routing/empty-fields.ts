// Clients send `null` or `""` for values that they do not have. Both mean: not given.
import { z } from 'zod';

type Place = 'body' | 'query';

/**
 * Returns the same schema of an object in which `null` and `""` count as omitted for every optional field. The values
 * inside a field do not change. The JSON Schema of the result allows both. A query has no `null`.
 */
export function omitEmpty<S extends z.ZodType>(schema: S, place: Place = 'body'): S {
  if (!(schema instanceof z.ZodObject)) throw new Error('only the fields of an object can be omitted');
  const shape = Object.fromEntries(
    Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => [
      name,
      field._zod.optin === 'optional' ? orNothing(field, place) : field,
    ]),
  );
  // With the original as its parent, the clone keeps its description and its rules.
  return z.core.clone(schema, { ...schema._zod.def, shape } as never, { parent: true }) as unknown as S;
}

function orNothing(field: z.ZodType, place: Place): z.ZodType {
  const { $schema: _, ...json } = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' });
  const { description, ...allowed } = json;
  // The field allows every value.
  if (Object.keys(allowed).length === 0) return field;
  // `optional` is the outermost, so that an omitted field runs nothing of the rest.
  return z
    .unknown()
    .transform((given): unknown => (given === null || given === '' ? undefined : given))
    .pipe(field)
    .optional()
    .meta({
      anyOf: [allowed, { const: '' }, ...(place === 'body' ? [{ type: 'null' }] : [])],
      ...(description && { description }),
    });
}
