// Generates the types of the API from its OpenAPI document. `npm run types` writes them.
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

import { SAME_SITE } from './client.ts';

const HEAD = '// Written by `npm run types` from the OpenAPI document.\n';

/** @returns the text of schema.ts */
export async function schemaText(document: Document): Promise<string> {
  const nodes = await openapiTS(withoutMark(document), { rootTypes: true, rootTypesNoSchemaPrefix: true });
  return `${HEAD}${astToString(nodes)}`;
}

export interface Document {
  paths: Record<string, Record<string, { parameters?: { name: string }[] }>>;
}

/** The client sends the header with every request, so that no call needs to name it. */
function withoutMark(document: Document): OpenAPI3 {
  const copy = structuredClone(document);
  for (const operation of Object.values(copy.paths).flatMap((methods) => Object.values(methods)))
    operation.parameters = operation.parameters?.filter(({ name }) => name !== SAME_SITE);
  return copy as unknown as OpenAPI3;
}
