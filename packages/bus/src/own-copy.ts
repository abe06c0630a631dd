// Zod copies the data that it parses, except free JSON (z.custom, z.any, z.unknown). This file copies these parts, so
// that a message never shares data with its sender.
import type { z } from 'zod';

/** The parts that the definitions of all zod types have. */
type Def = { type: string; options?: Part[]; items?: Part[]; shape?: Record<string, Part> } & {
  [K in 'innerType' | 'element' | 'valueType' | 'in' | 'out' | 'left' | 'right']?: Part;
};
type Part = z.core.$ZodType;

const FREE = new Set(['custom', 'any', 'unknown', 'lazy']);

/** Returns a function that copies, in a parsed object, the fields that zod passed on without a copy. */
export function ownCopy(schema: z.ZodObject): (data: object) => void {
  const isFree = (def: Def) => FREE.has(def.type);
  const free = Object.keys(schema.shape).filter((name) => hasPart(schema.shape[name], isFree));
  if (free.length === 0) return () => {};
  return (data) => {
    const fields = data as Record<string, unknown>;
    for (const name of free) if (fields[name] !== undefined) fields[name] = JSON.parse(JSON.stringify(fields[name]));
  };
}

/** Returns true when the schema, or a part of it at any depth, has such a definition. Looks into no part that `skips` names. */
export function hasPart(
  schema: Part,
  is: (def: Def) => boolean,
  skips: (part: Part) => boolean = () => false,
): boolean {
  if (skips(schema)) return false;
  const def = schema._zod.def as Def;
  if (is(def)) return true;
  const { innerType, element, valueType, in: from, out, left, right, options = [], items = [], shape = {} } = def;
  const parts = [innerType, element, valueType, from, out, left, right, ...options, ...items, ...Object.values(shape)];
  return parts.some((part) => part !== undefined && hasPart(part, is, skips));
}
