// A tool as a value: what a language model reads of it, and the calls of routes that it stands for.
import { strict } from '@landfall/http';
import { z } from 'zod';
import type { Ask } from './ask-routes.ts';

/** What a tool does to the data. The names are those of the protocol. */
interface Hints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  /** True: the same call a second time changes nothing more. */
  idempotentHint: boolean;
}

export const READS: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
export const ADDS: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
export const REPLACES: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

interface Definition<I extends z.ZodObject, O extends z.ZodObject> {
  title: string;
  description: string;
  hints: Hints;
  input: I;
  /** The fields of the output. Others of the reply of a route are left out. */
  output: O;
  /** Throws what the routes throw. */
  run(input: z.output<I>, ask: Ask): Promise<z.input<O>>;
}

export interface Tool {
  readonly name: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly hints: Hints;
  /** What a list of tools says. Its schemas are JSON Schema. */
  readonly listed: {
    name: string;
    title: string;
    description: string;
    annotations: Hints & { openWorldHint: boolean };
    inputSchema: ObjectSchema;
    outputSchema: ObjectSchema;
  };
  run(input: never, ask: Ask): Promise<object>;
}

type ObjectSchema = { type: 'object'; [key: string]: unknown };

/** Makes a tool. Its input refuses unknown fields, as the bodies of the management API do. */
export function tool<I extends z.ZodObject, O extends z.ZodObject>(
  name: string,
  { title, description, hints, input: fields, output, run }: Definition<I, O>,
): Tool {
  const input = strict(fields);
  return {
    name,
    input,
    output,
    hints,
    listed: {
      name,
      title,
      description,
      // A tool asks this Landfall alone.
      annotations: { ...hints, openWorldHint: false },
      inputSchema: schemaOf(input, 'input'),
      outputSchema: schemaOf(output, 'output'),
    },
    run,
  };
}

function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): ObjectSchema {
  // Without `$schema` it is the dialect of the protocol, and older clients read it, too.
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const { additionalProperties: others } = jsonSchema;
      if (typeof others === 'object' && others.not) jsonSchema.additionalProperties = false;
    },
  });
  return { ...json, type: 'object' };
}
