// Makes schemas strict. A body with an unknown field is refused, so that a misspelt field is never ignored.
import { closestMatch } from 'leven';
import { z } from 'zod';

type Def = z.core.$ZodTypeDef & Record<string, unknown>;

/**
 * Returns the same schema in which every object refuses unknown fields, at any depth. Objects that define their own
 * handling (`looseObject`) do not change. The issue of an unknown field has the known fields as `params.known`.
 */
export function strict<S extends z.ZodType>(schema: S): S {
  const def = (schema as z.ZodType)._zod.def as Def;
  const changed = changedDef(def);
  // With the original as its parent, the clone keeps the description.
  return changed ? z.core.clone(schema, { ...def, ...changed } as never, { parent: true }) : schema;
}

const all = (schemas: unknown): z.ZodType[] => (schemas as z.ZodType[]).map((one) => strict(one));
const one = (schema: unknown): z.ZodType => strict(schema as z.ZodType);

/** Returns the changed parts of the definition of a strict schema. Null when nothing changes. */
function changedDef(def: Def): object | null {
  switch (def.type) {
    case 'object': {
      const shape = def.shape as Record<string, z.ZodType>;
      const fields = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, strict(field)]));
      return { shape: fields, catchall: def.catchall ?? nothingBut(Object.keys(shape)) };
    }
    case 'array':
      return { element: one(def.element) };
    case 'record':
      return { valueType: one(def.valueType) };
    case 'union':
      return { options: all(def.options) };
    case 'pipe':
      return { in: one(def.in), out: one(def.out) };
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'nonoptional':
      return { innerType: one(def.innerType) };
    default:
      return null;
  }
}

/** In JSON Schema `not: {}` means that no value fits. */
const nothingBut = (known: readonly string[]) =>
  z.custom<never>(() => false, { error: 'is unknown', params: { known } }).meta({ not: {} });

/** Returns the known fields when the issue is an unknown field. */
export const knownFields = (issue: z.core.$ZodIssue): readonly string[] | undefined =>
  issue.code === 'custom' ? issue.params?.known : undefined;

const LONGEST_NAME = 64;

export function unknownField(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  if (near) return `is unknown: did you mean ${near}?`;
  return known.length > 0
    ? `is unknown: the known fields are ${known.join(', ')}`
    : 'is unknown: no fields are accepted here';
}

/** Ignores case and separators. At most a third of the remaining characters may differ. */
function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const byPlain = new Map(known.map((one) => [plain(one), one]));
  const given = plain(name);
  const found = closestMatch(given, [...byPlain.keys()], { maxDistance: Math.ceil(given.length / 3) });
  return found === undefined ? undefined : byPlain.get(found);
}
