// Zod copies what it parses, except free JSON (z.custom, z.any, z.unknown). These parts are copied here, so that a
// message is never shared with whoever sent it.
import type { z } from 'zod';

/** The parts that the definitions of zod's types have, whatever the type. */
type Def = { type: string; options?: Part[]; items?: Part[]; shape?: Record<string, Part> } & {
  [K in 'innerType' | 'element' | 'valueType' | 'in' | 'out' | 'left' | 'right']?: Part;
};
type Part = z.core.$ZodType;

const FREE = new Set(['custom', 'any', 'unknown', 'lazy']);

/** A function that copies, in place, the fields of a parsed object that zod handed on as they were. */
export function ownCopy(schema: z.ZodObject): (data: object) => void {
  const free = Object.keys(schema.shape).filter((name) => holdsFree(schema.shape[name]));
  if (free.length === 0) return () => {};
  return (data) => {
    const fields = data as Record<string, unknown>;
    for (const name of free) if (fields[name] !== undefined) fields[name] = JSON.parse(JSON.stringify(fields[name]));
  };
}

function holdsFree(schema: z.core.$ZodType): boolean {
  const def = schema._zod.def as Def;
  if (FREE.has(def.type)) return true;
  const { innerType, element, valueType, in: from, out, left, right, options = [], items = [], shape = {} } = def;
  const parts = [innerType, element, valueType, from, out, left, right, ...options, ...items, ...Object.values(shape)];
  return parts.some((part) => part !== undefined && holdsFree(part));
}
