// Generates a value that fits a JSON Schema, with all optional fields present. The value is the same each time, except
// for ids that `ids` does not hold.
import fc from 'fast-check';
import type { Json } from './json-schema.ts';

/** @param ids the ids to use, by the names of the fields that hold them */
export function exampleOf(schema: Json, ids: Record<string, string>, name = ''): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0], ids, name);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries<Json>(schema.properties ?? {}).map(([field, one]) => [field, exampleOf(one, ids, field)]),
      );
    case 'array':
      return [exampleOf(schema.items ?? {}, ids)];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, Math.min(schema.maximum ?? 1, 1));
    case 'boolean':
      return true;
    case 'string':
      return textLike(schema, ids, name);
    default:
      return null;
  }
}

function textLike({ format, pattern, minLength = 1 }: Json, ids: Record<string, string>, name: string): string {
  if (name === 'timeZone') return 'Asia/Kolkata';
  if (name === 'name' || name === 'teamName') return 'Ada & co';
  if (format === 'uuid') return ids[name] ?? crypto.randomUUID();
  if (format === 'date-time') return '2030-01-01T00:00:00.000Z';
  if (format === 'uri') return 'https://example.com/x';
  if (format === 'email') return 'somebody@authorisation.example';
  // No other value has this text, so a test finds it when it is stored in clear.
  if (format === 'password' && !pattern?.includes('{43}')) return `the ${name} of nobody`;
  const [made = ''] = pattern ? fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 1, seed: 1 }) : [];
  return made.length >= minLength ? made : `${made}${'tried '.repeat(minLength)}`.slice(0, Math.max(minLength, 12));
}
