// Checks values against the schemas of the OpenAPI document, which are JSON Schema 2020-12. Ajv is strict here: a
// keyword that it does not know is an error, so that nothing goes unchecked.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export type Json = Record<string, any>;

/** Returns the fault of the value, with its place. Returns undefined when the value fits. */
export type Misfit = (schema: Json | boolean, value: unknown) => string | undefined;

const DOCUMENT = 'openapi.json';

/** The suites of one process read the same document, and to compile its hundreds of schemas takes seconds. */
const known = new Map<string, Misfit>();

/** @param document the document that `$ref` refers to */
export function misfitIn(document: Json): Misfit {
  const text = JSON.stringify(document.components);
  const misfit = known.get(text) ?? newMisfit(document);
  known.set(text, misfit);
  return misfit;
}

function newMisfit(document: Json): Misfit {
  // `format` is an annotation: each has a pattern beside it.
  const ajv = new Ajv2020({ validateFormats: false, strictRequired: false, allowUnionTypes: true, strictTypes: false });
  ajv.addKeyword('components');
  ajv.addSchema({ $id: DOCUMENT, components: document.components });
  // Many operations have equal schemas.
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value) => {
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${DOCUMENT}#/`);
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: 'it' });
  };
}

/** Returns the target of a reference inside the document. */
export function follow(document: Json, reference: string): Json {
  const target = reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json | undefined>((at, part) => at?.[part], document);
  if (target === undefined) throw new Error(`${reference} leads nowhere`);
  return target;
}
